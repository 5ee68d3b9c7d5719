import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingPrograms } from "../../screen-reader/screen-reader.ts";
import { PageListener } from "./page-listener.ts";

/** How the lines of the sample are read aloud, and nothing else: in the list, their times stand before them. */
const LINES = {
  night: /^Night\. One window is lit\.$/,
  train: /^A red train passes\.$/,
};

/** How long a film plays in which no line may be read, in milliseconds: two lines lie in it. */
const LISTENING_MS = 5_500;

describe.skipIf(missingPrograms.length > 0)("a review heard with a screen reader", { timeout: 120_000 }, () => {
  let page: PageListener;

  beforeAll(async () => {
    page = await PageListener.start();
  }, 240_000);
  afterAll(() => page?.close());

  /** Chooses how descriptions are heard, and comes back to the list. */
  async function hearBy(letter: string, said: RegExp): Promise<void> {
    await page.reader.pressUntil(/Descriptions.*combo box/, "shift+Tab");
    page.reader.forget();
    await page.reader.type(letter);
    await page.reader.hears(said);
    // The list, or the line that is chosen in it.
    await page.reader.pressUntil(/^Script\.|\d of 6, at \d\d:\d\d\.$/);
  }

  /** Has the film play from the third line on for a while; gives what was said meanwhile. */
  async function playNight(milliseconds: number): Promise<readonly string[]> {
    await page.reader.press("Home", "Down", "Down");
    page.reader.forget();
    const place = page.reader.place;
    await page.reader.press("p");
    await sleep(milliseconds);
    const said = page.reader.since(place);
    await page.reader.press("p");
    await page.reader.hears(/^Paused at 2\d seconds\./);
    return said;
  }

  test("accepting, muting, undoing, listening and playing each end in a sentence, and so does what cannot be done", async () => {
    await page.review();
    await page.reader.press("Home", "Down");
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
      page.reader.forget();
      await page.reader.press(key);
      await page.reader.hears(said);
    }
    // A list that a filter has emptied.
    await page.reader.pressUntil(/^Show (push button|collapsed push button)/, "shift+Tab");
    await page.reader.press("Return");
    await page.reader.pressUntil(/^Show combo box/);
    page.reader.forget();
    await page.reader.type("with");
    await page.reader.hears(/^Nothing matches this filter\./);
  });

  test("writing a line, one hears its words and room, that it changed, and that it is too long", async () => {
    await page.review();
    await page.reader.press("Home", "Down");
    page.reader.forget();
    await page.reader.press("Return");
    await page.reader.hears(/Words.*A white boat, its sail bright red\./);
    await page.reader.press("ctrl+a");
    page.reader.forget();
    await page.reader.type(
      "A white boat, its sail bright red, glides through the still harbour past a long row of lanterns.",
    );
    await page.reader.hears(/s too long: cut \d+ words?/);
    await page.reader.press("Escape");
    await page.reader.hears(/^Line 2 changed\./);
    page.reader.forget();
    await page.reader.press("ctrl+z");
    await page.reader.hears(/^Undone: words of line 2\./);
  });

  test("read by the screen reader after they were heard as sound, every line is said; as sound again, none of them", async () => {
    await page.review();
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
    await page.review();
    await page.reader.pressUntil(/^Sign off push button/);
    for (let times = 0; times < 2; times++) {
      page.reader.forget();
      await page.reader.press("Return");
      await page.reader.hears(/^6 lines are not accepted yet\. Accept every line, then sign off\./);
    }
    await page.reader.pressUntil(/^More/);
    await page.reader.press("Return");
    await page.reader.pressUntil(/^Accept all push button/, "shift+Tab");
    page.reader.forget();
    await page.reader.press("Return");
    await page.reader.hears(/^Accepted, all 6\./);
    await page.reader.pressUntil(/^Your name entry/, "shift+Tab");
    await page.reader.type("Kim Lind");
    await page.reader.pressUntil(/^Sign off push button/);
    page.reader.forget();
    await page.reader.press("Return");
    await page.reader.hears(/^Signed off by Kim Lind\./);
  });
});
