import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SAMPLE_CLIP } from "../../src/cli/sample.ts";
import { Client } from "../../src/client/client.ts";
import { logInAddress } from "../../src/contract/page.ts";
import { type RunningService, startService } from "../../src/service/main.ts";
import { missingPrograms, ScreenReader } from "../screen-reader/screen-reader.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// The page as a person hears it who does not see it: Orca in Firefox, by keyboard alone. `npm run test:heard` runs it, alone on
// the computer, where Orca is installed.

if (missingPrograms.length > 0) {
  process.stderr.write(`The page is heard by nobody: ${missingPrograms.join(", ")} not installed.\n`);
}

/** How the lines of the sample are read aloud, and nothing else: in the list, their times stand before them. */
const LINES = {
  boat: /^A white boat, its sail bright red\.$/,
  night: /^Night\. One window is lit\.$/,
  train: /^A red train passes\.$/,
};

/** What the reader says of the page's tabs, and of no other. */
const TABS = /^(?:Describe|Review|Deliver|Jobs|Settings) page tab/;

/** How long a film plays in which no line may be read, in milliseconds: two lines lie in it. */
const LISTENING_MS = 5_500;

describe.skipIf(missingPrograms.length > 0)("heard with a screen reader", { timeout: 120_000 }, () => {
  let service: RunningService;
  let client: Client;
  let reader: ScreenReader;
  let film: string;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    service = await startService({ dataFolder: join(folder, "data"), log: { level: "silent" } });
    const clock = { now: () => Date.now(), sleep: (milliseconds: number) => sleep(milliseconds) };
    client = new Client({ baseUrl: service.url, apiKey: await service.processKey(), fetch, clock });
    reader = await ScreenReader.start();
    film = join(reader.home, "harbour.mp4");
    await copyFile(SAMPLE_CLIP, film);
    // Two jobs of one film: their buttons must differ.
    for (const jobId of [await order(), await order()]) await ended(jobId);
  }, 240_000);
  afterAll(async () => {
    await reader?.close();
    await service?.close();
  });

  /** Orders a description of the sample by its own script, as another program does; gives the job. */
  async function order(): Promise<string> {
    const file = { filename: "harbour.mp4", contentType: "video/mp4", bytes: await readFile(film) };
    const script = await readFile(SAMPLE_CLIP.replace(/\.mp4$/, ".vtt"), "utf8");
    const config = { ad_type: "standard_ad", format: "vtt", description_content: script } as const;
    const { jobId } = await client.generateAudio({ type: "file", file }, { ...config, audio_track_type: "ad_only" });
    return jobId;
  }

  async function ended(jobId: string): Promise<void> {
    while ((await client.getResults(jobId)).status !== "done") await sleep(200);
  }

  /** Opens the page in a browser that was never there. */
  async function arrive(): Promise<void> {
    reader.forget();
    await reader.open(logInAddress(service.url, await service.administration.createLogInLink()));
    await reader.hears(/Finished loading Aside/);
    // It reads the whole page from there on, until it is told to be silent.
    await reader.silence();
  }

  /** Goes to a tab, and so to its view: by Tab to the one that is chosen, then by the arrow keys. */
  async function goTo(tab: RegExp): Promise<void> {
    // On a busy computer a key is pressed again before it was answered, and the second one leads past the tabs.
    for (const key of ["Tab", "shift+Tab", "shift+Tab"]) {
      const place = reader.place;
      await reader.pressUntil(TABS, key);
      const here = reader.since(place).findLast((said) => TABS.test(said)) ?? "";
      if (tab.test(here)) return;
      const isThere = await reader.pressUntil(tab, "Right", 8).then(
        () => true,
        () => false,
      );
      if (isThere) return;
    }
    throw new Error(`no way leads to ${tab}`);
  }

  /** Opens the newest job's result for review; the keys go to the page from then on. */
  async function review(): Promise<void> {
    await arrive();
    await goTo(/Jobs page tab/);
    await reader.hears(/\d jobs?\./);
    await reader.pressUntil(/^Review: harbour\.mp4/);
    await reader.press("Return");
    // The focus goes into the list, and not to a tab.
    await reader.hears(/^Script\./);
    await reader.giveKeysToPage();
  }

  /** Chooses how descriptions are heard, and comes back to the list. */
  async function hearBy(letter: string, said: RegExp): Promise<void> {
    await reader.pressUntil(/Descriptions.*combo box/, "shift+Tab");
    reader.forget();
    await reader.type(letter);
    await reader.hears(said);
    // The list, or the line that is chosen in it.
    await reader.pressUntil(/^Script\.|\d of 6, at \d\d:\d\d\.$/);
  }

  /** Has the film play from the third line on for a while; gives what was said meanwhile. */
  async function playNight(milliseconds: number): Promise<readonly string[]> {
    await reader.press("Home", "Down", "Down");
    reader.forget();
    const place = reader.place;
    await reader.press("p");
    await sleep(milliseconds);
    const said = reader.since(place);
    await reader.press("p");
    await reader.hears(/^Paused at 2\d seconds\./);
    return said;
  }

  test("arriving, one hears the page, its views and the way to choose a film, and that a film is ready", async () => {
    await arrive();
    await goTo(/Describe page tab/);
    // By arrow keys through the others, and round to where one began.
    await reader.pressUntil(/Settings page tab/, "Right", 8);
    await reader.pressUntil(/Describe page tab/, "Right", 8);
    await reader.pressUntil(/Choose a film.* push button/);
    await reader.press("Return");
    // The dialog of the system: its field for a path, which completes what is typed and may swallow a letter on a busy computer.
    for (let tries = 1; ; tries++) {
      await reader.press("ctrl+l");
      await reader.hears(/^Location/);
      await reader.press("ctrl+a");
      await reader.type("~/harbour.mp4");
      reader.forget();
      await reader.press("Return");
      const isTaken = await reader.hears(/^Uploading harbour\.mp4/, 15_000).then(
        () => true,
        (error: unknown) => {
          if (tries === 3) throw error;
          return false;
        },
      );
      if (isTaken) break;
      // What the dialog complains of is closed.
      await reader.press("Return");
      reader.forget();
    }
    await reader.hears(/Film ready: harbour, 40 seconds\./, 120_000);
  });

  test("the rows of a script are heard, jobs of one film by different names, and a reload comes back to the line", async () => {
    await arrive();
    await goTo(/Jobs page tab/);
    await reader.hears(/2 jobs\./);
    const place = reader.place;
    await reader.pressUntil(/^Review: harbour\.mp4/);
    await reader.pressUntil(/^Review: harbour\.mp4/);
    const names = reader.since(place).filter((text) => text.startsWith("Review: "));
    expect(new Set(names).size).toBe(2);
    reader.forget();
    await reader.press("Return");
    await reader.hears(/^Script\./);
    await reader.hears(/Review: harbour\. 6 lines, \d+ problems?\./);
    await reader.giveKeysToPage();
    await reader.press("Home", "Down");
    await reader.hears(/A white boat, its sail bright red\./);
    reader.forget();
    await reader.press("F5");
    await reader.hears(/A white boat, its sail bright red\./);
    await reader.hears(/Review: harbour\. 6 lines/);
    await reader.giveKeysToPage();
    reader.forget();
    await reader.press("Down");
    await reader.hears(/Night\. One window is lit\./);
  });

  test("accepting, muting, undoing, listening and playing each end in a sentence, and so does what cannot be done", async () => {
    await review();
    await reader.press("Home", "Down");
    for (const [key, said] of [
      ["space", /^Accepted, 1 of 6\./],
      ["space", /^Acceptance removed, 0 of 6\./],
      ["m", /^Muted\. Not in the voice\./],
      ["m", /^Unmuted\./],
      ["ctrl+z", /^Undone: unmute\./],
      ["Delete", /^1 line deleted, 5 left\./],
      ["ctrl+z", /^Undone: delete\./],
      ["l", /^Playing line \d\./],
      ["l", /^Stopped\./],
      ["p", /^Playing from \d+ seconds?\./],
      ["p", /^Paused at \d+ seconds?\./],
    ] as const) {
      reader.forget();
      await reader.press(key);
      await reader.hears(said);
    }
    // A list that a filter has emptied.
    await reader.pressUntil(/^Show (push button|collapsed push button)/, "shift+Tab");
    await reader.press("Return");
    await reader.pressUntil(/^Show combo box/);
    reader.forget();
    await reader.type("with");
    await reader.hears(/^Nothing matches this filter\./);
  });

  test("writing a line, one hears its words and room, that it changed, and that it is too long", async () => {
    await review();
    await reader.press("Home", "Down");
    reader.forget();
    await reader.press("Return");
    await reader.hears(/Words.*A white boat, its sail bright red\./);
    await reader.press("ctrl+a");
    reader.forget();
    await reader.type(
      "A white boat, its sail bright red, glides through the still harbour past a long row of lanterns.",
    );
    await reader.hears(/s too long: cut \d+ words?/);
    await reader.press("Escape");
    await reader.hears(/^Line 2 changed\./);
    reader.forget();
    await reader.press("ctrl+z");
    await reader.hears(/^Undone: words of line 2\./);
  });

  test("read by the screen reader after they were heard as sound, every line is said; as sound again, none of them", async () => {
    await review();
    const asSound = await playNight(LISTENING_MS);
    const among = (texts: readonly string[]) =>
      texts.filter((text) => LINES.night.test(text) || LINES.train.test(text));
    expect(among(asSound)).toEqual([]);
    await hearBy("read", /read by my screen reader/);
    const read = await playNight(LISTENING_MS);
    expect(read).toEqual(
      expect.arrayContaining([expect.stringMatching(LINES.night), expect.stringMatching(LINES.train)]),
    );
    await hearBy("as", /as sound/);
    expect(among(await playNight(LISTENING_MS))).toEqual([]);
  });

  test("signing off too early is refused in words, a second time too; then it is signed", async () => {
    await review();
    await reader.pressUntil(/^Sign off push button/);
    for (let times = 0; times < 2; times++) {
      reader.forget();
      await reader.press("Return");
      await reader.hears(/^6 lines are not accepted yet\. Accept every line, then sign off\./);
    }
    await reader.pressUntil(/^More/);
    await reader.press("Return");
    await reader.pressUntil(/^Accept all push button/, "shift+Tab");
    reader.forget();
    await reader.press("Return");
    await reader.hears(/^Accepted, all 6\./);
    await reader.pressUntil(/^Your name entry/, "shift+Tab");
    await reader.type("Kim Lind");
    await reader.pressUntil(/^Sign off push button/);
    reader.forget();
    await reader.press("Return");
    await reader.hears(/^Signed off by Kim Lind\./);
  });

  test("the end of a job is heard, whoever ordered it", async () => {
    await arrive();
    await goTo(/Jobs page tab/);
    await reader.hears(/\d jobs\./);
    const jobId = await order();
    await ended(jobId);
    await reader.hears(/Done: harbour\.mp4/);
    // One of the page's own: from its start to its end, with the steps.
    await reader.pressUntil(/Describe page tab/, "Left", 8);
    await reader.pressUntil(/^Find the pauses to write in push button/);
    reader.forget();
    await reader.press("Return");
    await reader.hears(/Started: harbour\./);
    await reader.hears(/Done: harbour\./, 120_000);
  });

  test("models are heard by name with their size, and what to bring to a computer without internet one by one", async () => {
    await arrive();
    await goTo(/Settings page tab/);
    await reader.pressUntil(/^Models… push button/);
    await reader.press("Return");
    await reader.pressUntil(/^Get: Qwen3-VL 4B, [\d.]+ GB push button/);
    await reader.pressUntil(/^Hear samples of Supertonic 3 on the web page of its makers push button/);
    await reader.pressUntil(/^No internet here\? Install from files… push button/);
    reader.forget();
    await reader.press("Return");
    await reader.hears(/^Add files… push button/);
    reader.forget();
    await reader.pressUntil(/^Files for combo box/, "shift+Tab", 3);
    await reader.hears(/^Qwen3-VL \S+ middle dot [\d.]+ GB/);
  });
});
