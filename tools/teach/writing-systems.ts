import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Layer } from "../../src/engine/ocr/writing-net.ts";
import { launchChromium } from "../../test/chromium.ts";
import { Chance } from "./writing-systems/chance.ts";
import { type DrawnLine, drawLines } from "./writing-systems/drawn-lines.ts";
import { measure, teach } from "./writing-systems/teach.ts";

/**
 * Teaches the net that tells writing systems apart (`src/engine/ocr/writing-net.ts`) from lines that a browser draws in the fonts of
 * this computer, measures it with fonts that it has not seen, and writes its weights. With Debian's packages `fonts-noto-core`,
 * `fonts-noto-cjk`, `fonts-freefont-ttf`, `fonts-dejavu`, `fonts-liberation2`, `fonts-lohit-*`, `fonts-kacst`, `fonts-nanum` and a
 * dozen of Latin ones it takes an hour. Fonts elsewhere: `FONTCONFIG_FILE` names a configuration that lists them.
 */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
const TARGET = fileURLToPath(new URL("../../src/engine/ocr/writing-net.json", import.meta.url));

/** One font of so many is kept to measure with; at least one of each system. */
const KEPT_FONTS = 7;

const lines: DrawnLine[] = [];
const browser = await launchChromium();
try {
  for await (const line of drawLines(await browser.newPage(), new Chance(7))) lines.push(line);
} finally {
  await browser.close();
}
const kept = new Set(keptFonts());
const isKept = ({ system, font }: DrawnLine) => kept.has(`${system} ${font}`);
const [seen, unseen] = [lines.filter((line) => !isKept(line)), lines.filter(isKept)];
process.stdout.write(`${seen.length} lines to learn from, ${unseen.length} in other fonts to measure with\n`);
const net = teach(seen, Number(values.rounds), new Chance(1), (round, taught) => {
  process.stdout.write(`${round}, right ${measure(taught, unseen).right.toFixed(3)}\n`);
});
const stored = net.map(packed);
await writeFile(TARGET, `${JSON.stringify({ layers: stored }, null, 2)}\n`);
process.stdout.write(`${measure(net, unseen).table}\n`);

function keptFonts(): string[] {
  return [...Map.groupBy(lines, ({ system }) => system)].flatMap(([system, of]) => {
    const fonts = [...new Set(of.map(({ font }) => font))].sort();
    const count = Math.max(1, Math.floor(fonts.length / KEPT_FONTS));
    return fonts.filter((_, index) => index % Math.ceil(fonts.length / count) === 1).map((font) => `${system} ${font}`);
  });
}

/** A layer in a byte for each weight: of each channel of the next sheet the largest is 127. */
function packed({ weights, biases, to }: Layer) {
  const each = weights.length / to;
  const units = Array.from({ length: to }, (_, channel) => {
    const of = weights.subarray(channel * each, (channel + 1) * each);
    return of.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127 || 1;
  });
  const bytes = Int8Array.from(weights, (weight, at) => Math.round(weight / (units[Math.floor(at / each)] ?? 1)));
  return {
    units: units.map((unit) => Number(unit.toPrecision(5))),
    biases: [...biases].map((bias) => Number(bias.toPrecision(5))),
    weights: Buffer.from(bytes.buffer).toString("base64"),
  };
}
