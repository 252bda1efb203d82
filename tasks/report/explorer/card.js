"use strict";
// A pair as a card, made node by node: no text of a document ever becomes part of the page.
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
const data = JSON.parse(document.getElementById("data").textContent);

function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) made.append(typeof child === "string" ? child.replace(UNSEEN, "\ufffd") : child);
  }
  return made;
}

const number = (value) => value.toLocaleString("en");
const score = (value) => (value >= 10 ? number(Math.round(value)) : String(Math.round(value * 100) / 100));

function typed(kind) {
  if (!kind) return "no type";
  return kind.length > 1 ? data.types[kind] || kind : `${kind} · ${data.types[kind]}`;
}

function scores(pair) {
  const named = [["weighted Jaccard", pair.similarity], ["contained", pair.containment], ["cosine", pair.cosine]];
  return named.filter(([, value]) => value !== null).map(([name, value]) => `${name} ${value.toFixed(2)}`).join(" · ");
}

function side(pair, at) {
  const role = pair.outcome === "removed" ? ["removed: ", "kept: "][at] : "";
  const source = pair.sources[at] ? ` · ${pair.sources[at]}` : "";
  const size = pair.chars[at] === null ? "" : ` · ${number(pair.chars[at])} characters`;
  const pieces = pair.texts[at].map(([text, marked]) => (marked ? el("mark", {}, text) : text));
  const title = el("p", { class: "title" }, role, el("b", {}, pair.ids[at]), source + size);
  return el("div", { class: "side" }, title, el("bdi", { class: "text", dir: "auto" }, pieces));
}

// Bars to the right speak for a removal, those to the left against one; each ends at how far the bar was cleared or missed.
function ground([name, value, bar, most, margin]) {
  const fill = el("i", { class: margin < 0 ? "against" : "for" });
  fill.style.width = `${Math.abs(margin) * 50}%`;
  fill.style[margin < 0 ? "right" : "left"] = "50%";
  const told = `${score(value)}, ${most ? "at most" : "at least"} ${score(bar)}`;
  const held = margin < 0 ? "speaks against" : "speaks for it";
  return el("li", {}, el("span", {}, data.measures[name]), el("span", { class: "axis", role: "img", "aria-label": held }, fill), el("span", { class: "n" }, told));
}

// As a shell reads it back.
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

// Where a server can answer, the same in the browser.
const explained = (id, words) => (data.page ? el("a", { href: `${data.page}?id=${encodeURIComponent(id)}` }, words) : null);

function command(text, actions) {
  const button = el("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(button.previousSibling);
      button.textContent = "selected";
    }
  } }, "copy");
  return el("p", { class: "command" }, el("code", {}, text), button, actions);
}

function card(pair, ...actions) {
  const head = el("header", {},
    el("span", { class: `badge ${{ removed: "warn", "kept apart": "good" }[pair.outcome] || ""}` }, pair.outcome),
    el("span", { class: "badge" }, typed(pair.type)), `at ${pair.stage}`,
    [scores(pair), ...pair.picked.map((name) => data.picked[name])].filter(Boolean).map((said) => el("span", { class: "dim" }, said)));
  const sides = pair.texts
    ? el("div", { class: "sides" }, side(pair, 0), side(pair, 1))
    : el("p", { class: "text" }, `${pair.ids[0]}, ${pair.ids[1]}: the texts are not there any more.`);
  const more = pair.differences > pair.shown ? `${number(pair.differences)} places differ${pair.within ? ` in the first ${number(pair.within)} characters` : ""}; the first ${pair.shown} are shown. ` : "";
  const none = pair.texts && !pair.differences ? "No word differs. " : "";
  const why = pair.grounds.length
    ? el("details", {}, el("summary", {}, "What decided"),
      el("p", { class: "dim" }, "Every measure against its bar, in the order in which the rules ask; to the right it speaks for a removal, to the left against. Facts and running text forbid one alone. What only a template says does not where own content stands in the other, and of edited copy, contained text and other template one is enough; where none is, a sure network may still remove."),
      el("ol", { class: "grounds" }, pair.grounds.map(ground)))
    : null;
  const foot = el("footer", {}, more + none + pair.reason, why, command(data.explain + quoted(pair.ids[0]), [explained(pair.ids[0], "explain"), actions]));
  return el("article", { class: "pair", tabindex: "-1", "aria-label": `${pair.ids[0]} and ${pair.ids[1]}` }, head, sides, foot);
}

// Letters act only where nobody is typing.
function keys(acts) {
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  });
}
