// Draws the plugin's icons into panel/icons: `npm run tool -- icons`.
import { mkdir } from "node:fs/promises";
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

function drawing({ size, marker, voice }: Icon): string {
  const outline = marker === "none" ? voice : marker;
  return `<style>*{margin:0}svg{display:block}</style>
<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 24 24" stroke-linejoin="round">
<path d="${MARKER}" fill="${marker}" stroke="${outline}" stroke-width="1.6"/>
<path d="${VOICE}" fill="none" stroke="${voice}" stroke-width="1.8" stroke-linecap="round"/></svg>`;
}

await mkdir("panel/icons", { recursive: true });
const browser = await launchChromium();
for (const icon of ICONS) {
  for (const scale of [1, 2]) {
    const viewport = { width: icon.size, height: icon.size };
    const page = await browser.newPage({ viewport, deviceScaleFactor: scale });
    await page.setContent(drawing(icon));
    await page.screenshot({ path: `panel/icons/${icon.name}@${scale}x.png`, omitBackground: true });
    await page.close();
  }
}
await browser.close();
