import type { Cue } from "../../core/cue.ts";
import { type DialogueInCue, dialogueInCues } from "../../core/dialogue-in-cue.ts";
import { escapeHtml } from "../../core/escape-html.ts";
import type { DialogueLine } from "../../core/transcript.ts";
import { BOOTH_CLOCK } from "./booth-clock.ts";

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
