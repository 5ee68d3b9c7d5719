/** What every tag begins with. */
const PREFIX = "AD·";

/** A line that is a tag and nothing else. */
const TAG_LINE = /^\s*AD·(\S+)\s*$/;

/** The last line of a marker's comment, by which a cue is found again. */
export function markerTag(cueId: string): string {
  return `${PREFIX}${cueId.replace(/[\s%]+/gu, encodeURIComponent)}`;
}

/** A marker's comment: the words, which are the editor's to change, and the tag below them. */
export function markerComment(cueId: string, text: string): string {
  return `${text}\n${markerTag(cueId)}`;
}

/**
 * The cue id in a marker's comment and the words around it; `null` for a marker without a tag. The tag is the last line
 * as a rule, but words typed below it are words all the same. Of several tags the last one counts; none of them is words.
 */
export function readMarkerComment(comment: string): { readonly cueId: string; readonly text: string } | null {
  const words: string[] = [];
  let tag: string | undefined;
  for (const line of comment.split(/\r\n|\r|\n/)) {
    const [, alone] = TAG_LINE.exec(line) ?? [];
    tag = alone ?? tag;
    if (alone === undefined) words.push(line);
  }
  return tag === undefined ? null : { cueId: cueIdOf(tag), text: words.join("\n").trim() };
}

/** The words of a marker that is known to be a cue's, whatever became of its tag: gone, or with words behind it. */
export function wordsOfComment(comment: string, cueId: string): string {
  return comment.split(markerTag(cueId)).join("").trim();
}

function cueIdOf(tag: string): string {
  return tag.replace(/(?:%[0-9A-F]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run; // Not written by markerTag: somebody's own percent sign.
    }
  });
}
