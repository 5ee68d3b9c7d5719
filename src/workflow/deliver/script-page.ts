import type { Cue } from "../../core/cue.ts";
import { type DialogueInCue, type DialogueLine, dialogueInCues } from "../../core/dialogue.ts";
import { escapeHtml } from "../../core/text.ts";

/** What a script says beside its cues. */
export interface ScriptContext {
  readonly title: string;
  /** BCP-47 code of the words. */
  readonly language: string;
  /** Timecode of a time on the programme clock. */
  readonly labelAt: (seconds: number) => string;
  /** What is said in the programme, in order of time; without it the page has no in-cues. */
  readonly dialogue?: readonly DialogueLine[];
  /** A sentence under the heading, such as the disclosure of a synthetic voice. */
  readonly note?: string;
}

/**
 * The descriptions as a page to print and to speak from: number, timecode in and out, seconds, the dialogue that each waits for
 * where it is known, words; and a clock that counts down to each.
 */
export function scriptPage(cues: readonly Cue[], context: ScriptContext): string {
  const { title, language, labelAt, note, dialogue } = context;
  const inCues = dialogue === undefined ? null : dialogueInCues(cues, dialogue);
  const rows = cues.map(({ start, end, text }, index) => {
    const times = [labelAt(start), labelAt(end), (end - start).toFixed(1)];
    const said = inCues === null ? [] : [inCueWords(inCues[index] ?? null)];
    const cells = [...times, ...said].map((cell) => `<td>${cell}</td>`).join("");
    const seconds = `data-start="${start.toFixed(3)}" data-end="${end.toFixed(3)}"`;
    return `<tr ${seconds}><th scope="row">${index + 1}</th>${cells}<td lang="${escapeHtml(language)}">${escapeHtml(text)}</td></tr>`;
  });
  const head = ["Cue", "In", "Out", "Seconds", ...(inCues === null ? [] : ["Dialogue before"]), "Description"]
    .map((name) => `<th scope="col">${name}</th>`)
    .join("");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: description script</title>
<style>body{font:1rem/1.6 system-ui,sans-serif;margin:2rem}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}caption{text-align:left}
th,td{border-bottom:1px solid #767676;padding:.4rem;text-align:left;vertical-align:top}
@media print{body{margin:0}.wide{overflow:visible}tr{break-inside:avoid}thead{display:table-header-group}}
${BOOTH_CLOCK.styles}</style></head>
<body><main><h1>${escapeHtml(title)}: description script</h1>
${note === undefined ? "" : `<p>${escapeHtml(note)}</p>`}
${cues.length === 0 ? "" : BOOTH_CLOCK.html}
<div class="wide" role="region" aria-label="Descriptions" tabindex="0"><table><caption>${cues.length} descriptions</caption><thead><tr>${head}</tr></thead><tbody>
${rows.join("\n")}
</tbody></table></div></main>
${cues.length === 0 ? "" : `<script>\n${BOOTH_CLOCK.script}\n</script>`}</body>
</html>
`;
}

function inCueWords(inCue: DialogueInCue | null): string {
  if (inCue === null) return "none";
  const { speaker, text, secondsBefore } = inCue;
  const who = speaker === undefined ? "" : `${escapeHtml(speaker)}: `;
  return `${who}“${escapeHtml(text)}”<br>${secondsBefore.toFixed(1)} s before`;
}

/**
 * A clock above a script, for whoever speaks it in a booth: which description is next, the seconds until it and those it has, beeps before it
 * where they are wanted. It runs in the page alone, and is not printed.
 */
const BOOTH_CLOCK = {
  styles: `.booth{position:sticky;top:0;background:#fff;color:#000;border-bottom:2px solid #000;padding:.5rem 0}
.booth p{margin:.25rem 0}#count{font-size:2rem;font-variant-numeric:tabular-nums}#words{font-size:1.5rem;min-height:3.2em}
#near{width:100%;height:.75rem}.booth button{font:inherit;padding:.3rem .8rem}tr.now{outline:3px solid #000}tr{scroll-margin-top:16rem}
@media print{.booth{display:none}tr.now{outline:0}}`,
  html: `<section class="booth" aria-label="Booth clock"><p id="count"></p><p id="words"></p>
<progress id="near" max="3" value="0" aria-label="The last three seconds before the description"></progress>
<p><button type="button" id="run">Start</button> <button type="button" id="back">Back</button> <button type="button" id="on">On</button>
<label><input type="checkbox" id="beeps"> Three beeps before each description</label></p>
<p>Press Start as the programme begins, or Back and On to begin three seconds before another description.</p></section>`,
  script: `const rows = [...document.querySelectorAll("tr[data-start]")];
const [count, words, near, run, beeps] = ["count", "words", "near", "run", "beeps"].map((id) => document.getElementById(id));
const LEAD = 3;
let held = 0, begun = null, shown = null, beeped = null, sound = null;
const now = () => (begun === null ? held : held + (performance.now() - begun) / 1000);
const startOf = (row) => Number(row.dataset.start), endOf = (row) => Number(row.dataset.end);
const next = (at) => rows.find((row) => endOf(row) > at);
const beep = () => {
  sound ??= new AudioContext();
  const tone = new OscillatorNode(sound, { frequency: 1000 }), level = new GainNode(sound, { gain: 0.2 });
  tone.connect(level).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.06);
};
const draw = () => {
  const at = now(), row = next(at);
  if (row !== shown) {
    shown?.classList.remove("now");
    row?.classList.add("now");
    if (begun !== null) row?.scrollIntoView({ block: "nearest" });
    words.textContent = row?.lastElementChild.textContent ?? "";
    words.lang = row?.lastElementChild.lang ?? "";
    shown = row;
  }
  if (row === undefined) { count.textContent = "No more descriptions"; near.value = 0; return; }
  const wait = startOf(row) - at, name = "Cue " + row.firstElementChild.textContent;
  count.textContent = wait > 0 ? name + " in " + wait.toFixed(1) + " s" : name + ": " + (endOf(row) - at).toFixed(1) + " s left";
  near.value = wait > 0 ? Math.max(0, LEAD - wait) : LEAD;
  const second = Math.ceil(wait), key = name + second;
  if (begun !== null && beeps.checked && wait > 0 && second <= LEAD && wait <= second && beeped !== key) { beeped = key; beep(); }
};
const go = (step) => {
  const at = now(), here = rows.indexOf(next(at)), row = rows[Math.max(0, Math.min(rows.length - 1, (here < 0 ? rows.length : here) + step))];
  if (row === undefined) return;
  held = Math.max(0, startOf(row) - LEAD);
  if (begun !== null) begun = performance.now();
  row.scrollIntoView({ block: "nearest" });
  draw();
};
run.addEventListener("click", () => {
  if (begun === null) begun = performance.now();
  else { held = now(); begun = null; }
  run.textContent = begun === null ? "Go on" : "Hold";
});
document.getElementById("back").addEventListener("click", () => go(-1));
document.getElementById("on").addEventListener("click", () => go(1));
setInterval(draw, 50);
draw();`,
} as const;
