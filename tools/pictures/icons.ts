// Draws the plugin's icons into panel/icons, and those of its buttons into panel/document/icon-pictures.ts: `npm run tool -- icons`.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { launchChromium } from "../../test/chromium.ts";

/** A marker of the timeline with a voice inside, on a field of 24 by 24. */
const MARKER = "M4 2.5h16a1.5 1.5 0 0 1 1.5 1.5v10.5L12 22 2.5 14.5V4A1.5 1.5 0 0 1 4 2.5z";
const VOICE = "M7 8v4M10.3 5.8v8.4M13.7 7v6M17 8.6v2.8";

interface Icon {
  readonly name: string;
  readonly size: number;
  readonly marker: string;
  readonly voice: string;
}

const ICONS: readonly Icon[] = [
  { name: "panel-dark-theme", size: 23, marker: "none", voice: "#d0d0d0" },
  { name: "panel-light-theme", size: 23, marker: "none", voice: "#464646" },
  { name: "plugin-list", size: 48, marker: "#1d7a5f", voice: "#ffffff" },
];

/** Adobe's workflow icons, and what each of those that are used is called here. */
const WORKFLOW = fileURLToPath(
  new URL("../../node_modules/@adobe/spectrum-css-workflow-icons/dist/assets/svg/", import.meta.url),
);
const USED = {
  accept: "Checkmark",
  back: "ChevronLeft",
  close: "Close",
  closed: "ChevronRight",
  delete: "Delete",
  filter: "Filter",
  history: "History",
  local: "Lock",
  mute: "VolumeOff",
  offline: "CloudStateDisconnected",
  open: "ChevronDown",
  pause: "Pause",
  play: "Play",
  redo: "Redo",
  search: "Search",
  sent: "UploadToCloud",
  settings: "Settings",
  split: "Cut",
  undo: "Undo",
} as const;

/** Their colour in each theme, and their size: twice that of a page, for dense screens. */
const INKS = { dark: "#d0d0d0", light: "#303030" } as const;
const BUTTON_ICON_PIXELS = 36;

function drawing({ size, marker, voice }: Icon): string {
  const outline = marker === "none" ? voice : marker;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 24 24" stroke-linejoin="round">
<path d="${MARKER}" fill="${marker}" stroke="${outline}" stroke-width="1.6"/>
<path d="${VOICE}" fill="none" stroke="${voice}" stroke-width="1.8" stroke-linecap="round"/></svg>`;
}

async function pictureOf(browser: Browser, svg: string, size: number, scale: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size }, deviceScaleFactor: scale });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

/** How much of each pixel a drawing covers, 0 to 255, row by row. */
async function coverageOf(browser: Browser, svg: string): Promise<readonly number[]> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(
      `(async () => {
        const image = new Image(${BUTTON_ICON_PIXELS}, ${BUTTON_ICON_PIXELS});
        image.src = "data:image/svg+xml;base64,${Buffer.from(svg.replaceAll(/var\([^)]*\)/g, "#000")).toString("base64")}";
        await image.decode();
        const surface = new OffscreenCanvas(image.width, image.height).getContext("2d");
        surface.drawImage(image, 0, 0, image.width, image.height);
        const { data } = surface.getImageData(0, 0, image.width, image.height);
        return Array.from({ length: data.length / 4 }, (_, index) => data[4 * index + 3]);
      })()`,
    );
  } finally {
    await page.close();
  }
}

/** The first part of an icon's PNG, by its colour alone. Its length can be divided by three: what follows is joined as Base64. */
function beginningIn(ink: string): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(BUTTON_ICON_PIXELS, 0);
  head.writeUInt32BE(BUTTON_ICON_PIXELS, 4);
  // Four bits a pixel, each the number of a colour.
  head.set([4, 3, 0, 0, 0], 8);
  const colour = Buffer.from(ink.slice(1), "hex");
  const colours = chunk("PLTE", Buffer.concat(Array.from({ length: 16 }, () => colour)));
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", head), colours]);
}

/** The rest of it: sixteen steps of coverage, a third of what a browser writes. */
function endingOf(coverage: readonly number[]): Buffer {
  const steps = coverage.map((value) => Math.round(value / 17));
  const rows = Array.from({ length: BUTTON_ICON_PIXELS }, (_, row) => {
    const line = steps.slice(row * BUTTON_ICON_PIXELS, (row + 1) * BUTTON_ICON_PIXELS);
    const pairs = Array.from({ length: line.length / 2 }, (_, pair) => {
      return ((line[2 * pair] ?? 0) << 4) | (line[2 * pair + 1] ?? 0);
    });
    return Buffer.from([0, ...pairs]);
  });
  return Buffer.concat([
    chunk("tRNS", Buffer.from(Array.from({ length: 16 }, (_, step) => step * 17))),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

await mkdir("panel/icons", { recursive: true });
const browser = await launchChromium();
for (const icon of ICONS) {
  for (const scale of [1, 2]) {
    await writeFile(
      `panel/icons/${icon.name}@${scale}x.png`,
      await pictureOf(browser, drawing(icon), icon.size, scale),
    );
  }
}
const endings: string[] = [];
for (const [name, adobes] of Object.entries(USED)) {
  const coverage = await coverageOf(browser, await readFile(`${WORKFLOW}S2_Icon_${adobes}_20_N.svg`, "utf8"));
  endings.push(`  ${name}: "${endingOf(coverage).toString("base64")}",`);
}
await browser.close();
const beginnings = Object.entries(INKS).map(([theme, ink]) => `  ${theme}: "${beginningIn(ink).toString("base64")}",`);
await writeFile(
  "panel/document/icon-pictures.ts",
  `// Drawn by tools/pictures/icons.ts from Adobe's Spectrum workflow icons (Apache License 2.0: panel/icons/LICENSE-Spectrum.txt).

/** How the PNG of an icon begins, in Base64: its size of 36 by 36 pixels and its colour, for ground that is dark and that is light. */
export const ICON_BEGINNINGS = {
${beginnings.join("\n")}
} as const;

/** How the PNG of each icon goes on from there, whatever its colour. */
export const ICON_ENDINGS = {
${endings.join("\n")}
} as const;

/** Name of an icon. */
export type IconName = keyof typeof ICON_ENDINGS;
`,
);
