import type { SeededRandom } from "../../../test/fakes/seeded-random.ts";

/** Longest text that mutation makes, in characters. */
const LONGEST_TEXT = 200_000;

/** Pieces that formats take for something. */
const PIECES = [
  ..."<>&\"'{}[]()*|;:,.-/\\=\t\n\r\0 09aZé\u00a0\u2028\ufeff\ufffd\ud83d",
  ...[
    "\r\n",
    "\n\n",
    "-->",
    "->",
    "--",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "</",
    "/>",
    "&#",
    "&#x",
    "&amp;",
    "&lt",
  ],
  ...["00:00:00:00", "00:01:00;00", "99:99:99:99", "-1", "1e308", "1e999", "0/0", "1/0s", "1001/30000s", "-0", "NaN"],
  ...[
    "9007199254740993",
    "99999999999999999999",
    "0.1",
    "null",
    "true",
    "[]",
    "{}",
    '""',
    "WEBVTT",
    "NOTE",
    "STYLE",
    "REGION",
  ],
  ...[
    "00:00:01.000 --> 00:00:02.000",
    "00:00:01,000 --> 00:00:00,000",
    "0:00:01.0,0:00:02.0",
    "TITLE:",
    "FCM: DROP FRAME",
  ],
  ...[
    "001  AX V C 01:00:00:00 01:00:01:00 01:00:00:00 01:00:01:00",
    "* COMMENT:",
    "* LOC:",
    "|C:Red |M:x |D:1",
    "M2 x -25 00:00:00:00",
  ],
];

/** A text made from `texts` by a few random changes: pieces in, out, doubled, moved, cut off, mixed with another text. */
export function mutatedText(random: SeededRandom, texts: readonly string[]): string {
  let text = (random.oneOf(texts) ?? "").slice(0, LONGEST_TEXT);
  for (let changes = 1 + random.below(6); changes > 0; changes--) text = changedOnce(random, text, texts);
  return text.slice(0, LONGEST_TEXT);
}

function changedOnce(random: SeededRandom, text: string, texts: readonly string[]): string {
  const at = random.below(text.length + 1);
  const length = random.below(random.oneOf([4, 40, 400]) ?? 4);
  const before = text.slice(0, at);
  const part = text.slice(at, at + length);
  const behind = text.slice(at + length);
  switch (random.below(9)) {
    case 0:
      return before + behind;
    case 1:
      return before + (random.oneOf(PIECES) ?? "") + part + behind;
    case 2:
      return before + (random.oneOf(PIECES) ?? "") + behind;
    case 3:
      return before + part.repeat(1 + random.below(8)) + behind;
    case 4:
      return before + (part || (random.oneOf(PIECES) ?? "a")).repeat(random.below(60_000 / (length + 1))) + behind;
    case 5:
      return random.below(4) === 0 ? before : before + part + text.slice(random.below(text.length + 1));
    case 6: {
      const other = random.oneOf(texts) ?? "";
      const from = random.below(other.length + 1);
      return before + other.slice(from, from + 400) + behind;
    }
    case 7:
      return withNumberChanged(random, before, part + behind);
    default:
      return before + String.fromCharCode(random.below(random.oneOf([128, 65_536]) ?? 128)) + behind;
  }
}

/** The next number of the rest becomes another one: times and counts are what most goes wrong with. */
function withNumberChanged(random: SeededRandom, before: string, rest: string): string {
  const numbers = ["0", "-1", "1", "60", "99", "1000", "2147483648", "1e400", "9".repeat(30), "0.000001", ""];
  return before + rest.replace(/\d+/, random.oneOf(numbers) ?? "0");
}
