// Review by key: y, n, c answer the pair that is shown, s skips it, u takes the last answer back.
// A key that comes before the next pair is there does nothing: it would be an answer to a pair that nobody has seen.
const shown = document.getElementById("shown"), told = document.getElementById("told"), bar = document.getElementById("progress");
let at = 0, asking = false;

function show(state) {
  if (state.error) {
    told.textContent = state.error;
    return;
  }
  at = state.at;
  bar.max = state.of;
  bar.value = state.at;
  told.textContent = state.pair
    ? `Pair ${number(state.at + 1)} of ${number(state.of)}; ${number(state.answered)} answered`
    : `That was all: ${number(state.answered)} of ${number(state.of)} answered`;
  shown.replaceChildren(...(state.pair ? [card(state.pair)] : []));
  for (const details of shown.querySelectorAll("details")) details.open = true;
}

async function send(key) {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch("api/review", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": data.token },
      body: JSON.stringify({ at, key }),
    });
    show(await answer.json());
  } catch {
    told.textContent = "No answer: is semhash-llm open still running?";
  } finally {
    asking = false;
  }
}

keys(Object.fromEntries([..."yncsu"].map((key) => [key, () => send(key)])));
for (const button of document.querySelectorAll("button[data-key]")) button.addEventListener("click", () => send(button.dataset.key));
fetch("api/review").then((answer) => answer.json()).then(show);
