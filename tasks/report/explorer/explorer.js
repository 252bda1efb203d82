// Search, filters and pages of pairs: those in this file, or all of a snapshot where `semhash-llm open` serves it.
const form = document.getElementById("asked"), shown = document.getElementById("shown"), told = document.getElementById("told");
const [back, on] = document.querySelectorAll(".pager button");
let page = 0, latest = 0;

function asked() {
  const given = Object.fromEntries(new FormData(form));
  return { ...given, words: given.words.trim(), page };
}

const hay = new Map();
function words(pair) {
  if (!hay.has(pair)) {
    const texts = (pair.texts || []).flat().map(([text]) => text);
    hay.set(pair, [...pair.ids, ...texts].join("\n").toLowerCase());
  }
  return hay.get(pair);
}

function fits(pair, want) {
  const likeness = pair.similarity ?? 1;
  return (!want.words || words(pair).includes(want.words.toLowerCase()))
    && (!want.outcome || pair.outcome === want.outcome)
    && (!want.type || pair.type === want.type)
    && (!want.source || pair.sources.includes(want.source))
    && (!want.picked || pair.picked.includes(want.picked))
    && (!want.survivor || (pair.outcome === "removed" && pair.ids[1] === want.survivor))
    && (!want.least || likeness >= Number(want.least))
    && (!want.most || likeness <= Number(want.most));
}

const ORDERS = {
  given: () => 0,
  least: (one, other) => (one.similarity ?? 1) - (other.similarity ?? 1),
  most: (one, other) => (other.similarity ?? 1) - (one.similarity ?? 1),
};

async function found(want) {
  if (data.api) return (await fetch(`${data.api}?${new URLSearchParams(want)}`)).json();
  const all = data.pairs.filter((pair) => fits(pair, want)).sort(ORDERS[want.order]);
  return { total: all.length, pairs: all.slice(page * data.at_once, (page + 1) * data.at_once) };
}

function cluster(survivor) {
  form.reset();
  form.elements.survivor.value = survivor;
  ask(0);
  form.scrollIntoView();
  form.elements.survivor.focus({ preventScroll: true });
}

async function ask(to) {
  page = to;
  const turn = ++latest;
  const given = asked();
  const answer = await found(given);
  if (turn !== latest) return;
  const first = page * data.at_once;
  told.textContent = answer.error || (answer.total
    ? `${number(first + 1)} to ${number(first + answer.pairs.length)} of ${number(answer.total)} pairs`
    : "No pair is like that. ");
  if (!answer.error && !answer.total && given.words) told.append(explained(given.words, `What happened to ${given.words}?`) ?? "");
  shown.replaceChildren(...(answer.pairs || []).map((pair) => card(pair, pair.outcome === "removed"
    ? el("button", { type: "button", onclick: () => cluster(pair.ids[1]) }, "all that went for the same document") : null)));
  back.disabled = page === 0;
  on.disabled = first + (answer.pairs || []).length >= (answer.total || 0);
}

function turn(step) {
  ask(page + step).then(() => form.scrollIntoView());
}

function walk(step) {
  const all = [...shown.children], at = all.indexOf(document.activeElement.closest(".pair")) + step;
  if (all[at]) all[at].focus();
}

let waiting;
form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => ask(0), data.api ? 300 : 80);
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(() => ask(0)));
back.addEventListener("click", () => turn(-1));
on.addEventListener("click", () => turn(1));
for (const button of document.querySelectorAll("button[data-survivor]")) {
  button.hidden = false;
  button.addEventListener("click", () => cluster(button.dataset.survivor));
}
keys({ "/": () => form.elements.words.focus(), j: () => walk(1), k: () => walk(-1) });
for (const [name, value] of Object.entries(data.first || {})) form.elements[name].value = value;
for (const part of document.querySelectorAll(".needs-script")) part.hidden = false;
ask(0);
