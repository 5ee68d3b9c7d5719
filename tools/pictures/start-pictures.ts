import { join } from "node:path";
import type { Browser } from "playwright-core";

/** Replaces what `require("uxp")` has as entry points. */
const withSetUp = (body: string) => `{ const given = window.require; const uxp = given("uxp");
  const changed = new Proxy(uxp, { get: (all, name) => (name === "entrypoints" ? { setup() { ${body} } } : all[name]) });
  window.require = (name) => (name === "uxp" ? changed : given(name)); }`;

/** Ways in which the panel's start fails: what is put before or in place of a script, and what is seen then. */
const FAILED_STARTS: readonly {
  readonly name: string;
  readonly script: string;
  /** Code before the script; `null` for none. */
  readonly before: string | null;
  /** Code in place of the script; `null` for a script that does not come. Default: the script itself. */
  readonly instead?: string | null;
  readonly sees: string;
}[] = [
  {
    name: "setup throws",
    script: "start.js",
    before: withSetUp("throw new TypeError(\"Cannot read properties of undefined (reading '_isSet')\");"),
    sees: "[data-view]",
  },
  { name: "nobody shows the panel", script: "start.js", before: withSetUp(""), sees: "[data-view]" },
  { name: "the main script is missing", script: "index.js", before: null, instead: null, sees: ".fault" },
  {
    name: "the main script cannot be read",
    script: "index.js",
    before: null,
    instead: 'asideStart.hold("index", function () { class {',
    sees: ".fault",
  },
  {
    name: "the main script throws",
    script: "index.js",
    before: null,
    instead: 'asideStart.hold("index", function () { [].findLast2(); });',
    sees: ".fault",
  },
  {
    name: "Premiere's module is missing",
    script: "start.js",
    before: `{ const given = window.require;
      window.require = (name) => { if (name === "premierepro") throw new Error("Module not found: premierepro"); return given(name); }; }`,
    sees: ".fault",
  },
];

/** Takes one picture of all the ways in which a start fails, `start-fails.png`. */
export async function takeFailedStarts(browser: Browser, url: string, folder: string): Promise<void> {
  const shots: string[] = [];
  for (const { name, script, before, instead, sees } of FAILED_STARTS) {
    const page = await browser.newPage({ viewport: { width: 1_100, height: 460 } });
    await page.route(`**/panel/${script}`, async (route) => {
      if (instead === null) return route.abort();
      const body = instead ?? (await (await route.fetch()).text());
      return route.fulfill({ contentType: "text/javascript", body: `${before ?? ""}\n${body}` });
    });
    await page.goto(`${url}/?computer=start-${shots.length}&width=380`);
    await page.frameLocator("#panel").locator(sees).first().waitFor();
    const bytes = await page.locator("#panel").screenshot();
    shots.push(
      `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${bytes.toString("base64")}"></figure>`,
    );
    await page.close();
  }
  const sheet = await browser.newPage({ viewport: { width: 1_200, height: 900 } });
  await sheet.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:12px;margin:12px;font:14px sans-serif}figure{margin:0}</style>${shots.join("")}`,
  );
  await sheet.screenshot({ path: join(folder, "start-fails.png"), fullPage: true });
  await sheet.close();
}
