import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { writeMovie } from "../../../src/engine/ffmpeg/encode/write-movie.ts";
import { lookAtPicture, measurePicture } from "../../../src/engine/measure/look-at-picture.ts";
import { parseWebVtt } from "../../../src/formats/index.ts";
import { checkPicture } from "../../../src/workflow/check/check-picture.ts";
import { quotedStretches } from "../../../src/workflow/check/check-quotations.ts";
import { checkOrder } from "../../../src/workflow/check/check-script.ts";
import { Canvas } from "../../drawing/canvas.ts";
import { makeMedia } from "../../made-media.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

const SIGNAL = new AbortController().signal;
const said = (text: string, start = 10): Cue => ({ id: "cue-1", start, end: start + 3, text });

describe("what is said of the picture", () => {
  thoroughTest("of a clip that fades to black, and of one that does not, is judged by its light", async () => {
    const folder = await temporaryFolder();
    const clip = async (name: string, filter: string) => {
      const path = join(folder, name);
      makeMedia(path, [{ graph: `testsrc2=size=160x90:rate=25:duration=8${filter}`, codec: "libx264" }]);
      return measurePicture(path, SIGNAL);
    };
    const faded = await clip("faded.mp4", ",fade=out:st=5:d=2");
    const bright = await clip("bright.mp4", "");
    expect(checkPicture([said("Fade to black.", 3)], faded, "en-US")).toEqual([]);
    expect(checkPicture([said("Fade to black.", 3)], bright, "en-US")).toHaveLength(1);
  });

  test("tells where the picture changes", async () => {
    const path = join(await temporaryFolder(), "cut.mp4");
    makeMedia(path, [{ graph: "smptebars=size=160x90:rate=25:duration=6,negate=enable='gte(t,3)'", codec: "libx264" }]);
    const { changes, light } = await measurePicture(path, SIGNAL);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toBeCloseTo(3, 1);
    expect(light).toHaveLength(12);
  });

  thoroughTest("finds nothing in descriptions that people wrote for real clips", async () => {
    for (const [folder, clip] of [
      ["described/rabbit", "video.mp4"],
      ["described/chrome-fast", "chrome.mp4"],
    ]) {
      const { cues } = parseWebVtt(await readFile(sharedMedia(`${folder}/descriptions.vtt`), "utf8"));
      const picture = await measurePicture(sharedMedia(`${folder}/${clip}`), SIGNAL);
      expect(checkPicture(cues, picture, "en-US")).toEqual([]);
      expect(checkOrder(cues)).toEqual([]);
    }
  });

  test("planted faults in a clip are found, and what is true of it is not", async () => {
    const path = join(await temporaryFolder(), "two.mp4");
    makeMedia(path, [
      {
        graph: "color=blue:size=160x90:rate=25:duration=8,drawbox=color=green:t=fill:enable='gte(t,4)'",
        codec: "libx264",
      },
    ]);
    const measured = await measurePicture(path, SIGNAL);
    const rules = (text: string) => checkPicture([said(text, 3)], measured, "en-US").map(({ rule }) => rule);
    expect(["Mostly red.", "Rapid cuts."].map(rules)).toEqual([["picture-contradicts"], ["picture-contradicts"]]);
    expect(["Mostly blue.", "Mostly green.", "Cut to green."].map(rules)).toEqual([[], [], []]);
  });
});

describe("a quotation held against a film", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  async function found(path: string, cues: readonly Cue[], environment: Record<string, string> = {}) {
    const picture = await lookAtPicture({ path, reads: quotedStretches(cues, "en-US") }, environment, SIGNAL);
    return checkPicture(cues, picture, "en-US").map(({ rule, cueIds }) => `${rule} ${cueIds.join(" ")}`);
  }

  thoroughTest(
    "planted wrong texts are found on a card and over black; the right text and other spellings are not",
    async () => {
      const path = join(folder, "cards.mp4");
      await makeCards(path, ["THE HARBOUR", "", "MEET ME AT NOON"]);
      const told = (id: string, start: number, text: string) => ({ ...said(text, start), id });
      const cues = [
        told("right", 2, 'A sign reads "THE HARBOUR".'),
        told("spelt", 2, "On screen: the Harbor."),
        told("spelt-capital", 2, "On screen: The Harbor."),
        told("wrong", 2, 'A sign reads "STATION ROAD".'),
        told("black", 26, "On screen: The end."),
        told("note", 46, "A note reads “Meet me at noon”."),
        told("wrong-note", 46, "A note reads “Farewell, my love”."),
      ];
      expect(await found(path, cues)).toEqual([
        "picture-contradicts wrong",
        "picture-contradicts black",
        "picture-contradicts wrong-note",
      ]);
      expect(await found(path, cues.slice(0, 1), { ASIDE_OCR_DATA: "off" })).toEqual(["picture-unread right"]);
    },
    60_000,
  );

  thoroughTest(
    "finds nothing in descriptions that people wrote for real clips, and judges no text where none can be read",
    async () => {
      for (const [name, clip] of [
        ["described/rabbit", "video.mp4"],
        ["described/chrome-fast", "chrome.mp4"],
      ]) {
        const { cues } = parseWebVtt(await readFile(sharedMedia(`${name}/descriptions.vtt`), "utf8"));
        const planted = cues.slice(0, 1).map((cue) => ({ ...cue, text: "A sign reads “HARBOUR”." }));
        expect(await found(sharedMedia(`${name}/${clip}`), [...cues, ...planted])).toEqual([]);
      }
    },
    60_000,
  );
});

const CARD_SECONDS = 20;

/** Cards, white on blue; black for one without words. */
async function makeCards(path: string, texts: readonly string[]): Promise<void> {
  const rate = 2;
  const frames = texts.flatMap((text) => {
    const canvas = new Canvas(640, 360);
    const ground = text === "" ? ([0, 0, 0] as const) : ([12, 20, 60] as const);
    canvas.fill(ground);
    if (text !== "") canvas.text(text, 320, 180, 44, [240, 240, 240]);
    return Array<Uint8Array>(CARD_SECONDS * rate).fill(canvas.toYuv420());
  });
  const silence = new Float32Array(48_000 * CARD_SECONDS * texts.length);
  await writeMovie(path, {
    picture: { width: 640, height: 360, rate: { numerator: rate, denominator: 1 }, frames },
    sound: { sampleRate: 48_000, channels: 2, blocks: [[silence, silence]] },
  });
}
