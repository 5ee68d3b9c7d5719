import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";

/** Pictures beside each other, and how wide one is, in pixels; fewer where they are wide themselves. */
const SHEET = { columns: 8, cell: 235 };
const WIDE_SHEET = { columns: 4, cell: 470 };

/** Lays all pictures of the panel's views at one width on a sheet, dark and light beside each other: `views-WIDTH.jpg`. */
export async function takeSheet(browser: Browser, folder: string, width: number): Promise<void> {
  const ending = new RegExp(`^(?!page-)(.+-(?:darkest|light))-${width}\\.png$`);
  const names = (await readdir(folder)).filter((name) => ending.test(name)).sort();
  const figures = await Promise.all(
    names.map(async (name) => {
      const bytes = (await readFile(join(folder, name))).toString("base64");
      return `<figure><figcaption>${ending.exec(name)?.[1]}</figcaption><img src="data:image/png;base64,${bytes}"></figure>`;
    }),
  );
  const { columns, cell } = width > 600 ? WIDE_SHEET : SHEET;
  const page = await browser.newPage({ viewport: { width: columns * cell, height: 600 } });
  try {
    await page.setContent(`<style>
      body { display: grid; grid-template-columns: repeat(${columns}, ${cell}px); margin: 0; background: #555; color: #fff; font: 11px sans-serif }
      figure { margin: 0 } img { display: block; width: ${cell - 4}px }
    </style>${figures.join("")}`);
    await page.waitForFunction("[...document.images].every(({ complete }) => complete)");
    await page.screenshot({ path: join(folder, `views-${width}.jpg`), type: "jpeg", quality: 70, fullPage: true });
  } finally {
    await page.close();
  }
}
