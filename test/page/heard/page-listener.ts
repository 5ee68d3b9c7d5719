import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SAMPLE_CLIP } from "../../../src/cli/sample.ts";
import { Client } from "../../../src/client/client.ts";
import { logInAddress } from "../../../src/contract/page.ts";
import { type RunningService, startService } from "../../../src/service/main.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { missingPrograms, ScreenReader } from "../../screen-reader/screen-reader.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

if (missingPrograms.length > 0) {
  process.stderr.write(`The page is heard by nobody: ${missingPrograms.join(", ")} not installed.\n`);
}

/** What the reader says of the page's tabs, and of no other. */
const TABS = /^(?:Describe|Review|Deliver|Jobs|Settings) page tab/;

/**
 * A person who hears the page and does not see it: Orca in Firefox, by keyboard alone, with a service that has described the
 * sample twice. `npm run test:heard` runs the tests with it, where Orca is installed.
 */
export class PageListener {
  readonly reader: ScreenReader;
  readonly #service: RunningService;
  readonly #client: Client;
  readonly #film: string;

  private constructor(reader: ScreenReader, service: RunningService, client: Client, film: string) {
    this.reader = reader;
    this.#service = service;
    this.#client = client;
    this.#film = film;
  }

  /** Starts the service and the screen reader, with two finished jobs of one film, whose buttons must differ. */
  static async start(): Promise<PageListener> {
    const dataFolder = join(await temporaryFolder(), "data");
    const service = await startService({ dataFolder, log: { level: "silent" } });
    const access = { baseUrl: service.url, apiKey: await service.processKey() };
    const reader = await ScreenReader.start().catch(async (error: unknown) => {
      await service.close();
      throw error;
    });
    const film = join(reader.home, "harbour.mp4");
    await copyFile(SAMPLE_CLIP, film);
    const page = new PageListener(reader, service, new Client({ ...access, fetch, clock: SYSTEM_CLOCK }), film);
    for (const jobId of [await page.order(), await page.order()]) await page.ended(jobId);
    return page;
  }

  async close(): Promise<void> {
    await this.reader.close();
    await this.#service.close();
  }

  /** Orders a description of the sample by its own script, as another program does; gives the job. */
  async order(): Promise<string> {
    const file = { filename: "harbour.mp4", contentType: "video/mp4", bytes: await readFile(this.#film) };
    const script = await readFile(SAMPLE_CLIP.replace(/\.mp4$/, ".vtt"), "utf8");
    const config = { ad_type: "standard_ad", format: "vtt", description_content: script } as const;
    const { jobId } = await this.#client.generateAudio(
      { type: "file", file },
      { ...config, audio_track_type: "ad_only" },
    );
    return jobId;
  }

  /** Waits until a job is done. */
  async ended(jobId: string): Promise<void> {
    while ((await this.#client.getResults(jobId)).status !== "done") await sleep(200);
  }

  /** Opens the page in a browser that was never there. */
  async arrive(): Promise<void> {
    this.reader.forget();
    await this.reader.open(logInAddress(this.#service.url, await this.#service.administration.createLogInLink()));
    // The first browser of a computer takes half a minute.
    await this.reader.hears(/Finished loading Aside/, 60_000);
    // It reads the whole page from there on, until it is told to be silent.
    await this.reader.silence();
  }

  /** Goes to a tab, and so to its view: by Tab to the one that is chosen, then by the arrow keys. */
  async goTo(tab: RegExp): Promise<void> {
    // On a busy computer a key is pressed again before it was answered, and the second one leads past the tabs.
    for (const key of ["Tab", "shift+Tab", "shift+Tab"]) {
      const place = this.reader.place;
      await this.reader.pressUntil(TABS, key);
      const here = this.reader.since(place).findLast((said) => TABS.test(said)) ?? "";
      if (tab.test(here)) return;
      const isThere = await this.reader.pressUntil(tab, "Right", 8).then(
        () => true,
        () => false,
      );
      if (isThere) return;
    }
    throw new Error(`no way leads to ${tab}`);
  }

  /** Opens the newest job's result for review; the keys go to the page from then on. */
  async review(): Promise<void> {
    await this.arrive();
    await this.goTo(/Jobs page tab/);
    await this.reader.hears(/\d jobs?\./);
    await this.reader.pressUntil(/^Review: harbour\.mp4/);
    await this.reader.press("Return");
    // The focus goes into the list, and not to a tab.
    await this.reader.hears(/^Script\./);
    await this.reader.giveKeysToPage();
  }
}
