import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { SAMPLE_CLIP } from "../../../src/cli/sample.ts";
import { analyseProgramme } from "../../../src/engine/analyse/analyse-programme.ts";
import { writeMovie } from "../../../src/engine/ffmpeg/encode/write-movie.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { findLanguageData } from "../../../src/engine/ocr/language-data.ts";
import { framesToRead, type ReadingOrder, readKeyFrames } from "../../../src/engine/ocr/read-key-frames.ts";
import { ScreenTextReader } from "../../../src/engine/ocr/text-reading.ts";
import { NOTHING_READ } from "../../../src/engine/onscreen-text.ts";
import { Canvas } from "../../drawing/canvas.ts";
import { sharedCorpora, sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** Files as they were analysed, each once, with the folder of their key frames. */
const analysed = new Map<string, Promise<Omit<ReadingOrder, "readsAll">>>();

async function analyse(path: string, name: string): Promise<Omit<ReadingOrder, "readsAll">> {
  const frames = join(folder, name.replaceAll("/", "-"));
  return { ...(await analyseProgramme(path, await probeMedia(path), { folder: frames })), folder: frames };
}

/** What is read of a file: as a job does it, with the data of the package. */
async function readFrom(
  name: string,
  {
    path = sharedMedia(name),
    language = "en-US",
    readsAll = false,
    environment = {},
  }: { path?: string; language?: string; readsAll?: boolean; environment?: Record<string, string> } = {},
) {
  await using reading = new ScreenTextReader(language, environment);
  const analysis = analysed.get(path) ?? analyse(path, name);
  analysed.set(path, analysis);
  return await readKeyFrames({ ...(await analysis), readsAll }, reading);
}

/** What is read of eight drawn seconds without a cut, 12 pictures a second. */
async function readDrawn(name: string, draw: (canvas: Canvas, at: number) => void) {
  const frames = Array.from({ length: 96 }, (_, index) => {
    const canvas = new Canvas(640, 360);
    draw(canvas, index / 12);
    return canvas.toYuv420();
  });
  const path = join(folder, name);
  await writeMovie(path, {
    picture: { width: 640, height: 360, rate: { numerator: 12, denominator: 1 }, frames },
    sound: { sampleRate: 48_000, channels: 1, blocks: [[new Float32Array(48_000 * 8)]] },
  });
  await using reading = new ScreenTextReader("en-US", {});
  const analysed = `${path}-analysed`;
  const analysis = await analyseProgramme(path, await probeMedia(path), { folder: analysed });
  return await readKeyFrames({ ...analysis, folder: analysed, readsAll: false }, reading);
}

/** Hills before a sky, with a bird that crosses it and trees of many colours. */
function drawScene(canvas: Canvas, at: number): void {
  canvas.fill([120, 150, 190]);
  for (let x = 0; x < 640; x += 4) {
    const hill = 220 + 60 * Math.sin(x / 90 + at / 8) + 14 * Math.sin(x / 7);
    canvas.rectangle(x, hill, 4, 360 - hill, [60 + ((x * 7) % 90), 110, 50]);
  }
  canvas.rectangle(60 * at, 150 - 20 * Math.sin(at), 46, 30, [90, 40, 50]);
}

/** A film of a title card, which is analysed once for all who read it. */
const CARD = sharedCorpora("languages/ocr-cards/card-ru.mp4");

/** A second title, as it is drawn over the picture. */
const LARGE_LETTERS: readonly [string, string, number] = ["letters of half the picture's height", "NOW", 170];

/** Cards of further languages, in films of their own and of another. */
const OTHER_CARDS = [
  ["de", "de-DE", "German"],
  ["zh", "cmn-CN", "Chinese"],
  ["ar", "ar-XA", "Arabic"],
  ["tr", "en-US", "Latin letters"],
  ["fr", "fr-FR", "French"],
  ["tr", "tr-TR", "Turkish"],
  ["ru", "ru-RU", "Russian"],
  ["ja", "ja-JP", "Japanese"],
  ["zh", "en-US", "Chinese"],
  ["ja", "en-US", "Chinese or Japanese"],
  ["ar", "en-US", "Arabic letters"],
  ["de", "en-US", "Latin letters"],
];

describe("reading key frames", () => {
  thoroughTest(
    "reads the title card of a film, for as long as it stands",
    async () => {
      const { isRead, texts, notes } = await readFrom("speech/sintel-excerpt.mp4");
      expect(isRead).toBe(true);
      expect(notes).toEqual([]);
      expect(texts.map(({ lines }) => lines)).toEqual([["THE BLENDER FOUNDATION", "presents"]]);
      expect(texts[0]?.start).toBeCloseTo(9.3, 0);
      expect(texts[0]?.end).toBeGreaterThan(10);
    },
    120_000,
  );

  thoroughTest(
    "reads the title of a tutorial",
    async () => {
      const { texts } = await readFrom("described/perspective-keyboard/perspective-video.mp4");
      expect(texts.map(({ lines }) => lines.join(" "))).toEqual(["Keyboard Compatibility"]);
    },
    120_000,
  );

  thoroughTest(
    "reads nothing into a picture without text, whatever moves in it",
    async () => {
      expect(await readFrom("described/rabbit/video.mp4", { readsAll: true })).toEqual({
        isRead: true,
        texts: [],
        notes: [],
        unread: [],
      });
    },
    120_000,
  );

  thoroughTest(
    "reads the cards of the sample, begun with while the analysis went on",
    async () => {
      const path = SAMPLE_CLIP;
      const frames = join(folder, "sample");
      await using reading = new ScreenTextReader("en-US", {});
      const begun: string[] = [];
      const analysis = await analyseProgramme(path, await probeMedia(path), {
        folder: frames,
        onShot: (watched) => {
          for (const { file } of framesToRead(watched, false)) {
            begun.push(file);
            reading.begin(join(frames, file));
          }
        },
      });
      await Promise.all(begun.map((file) => reading.read(join(frames, file))));
      // Nothing is read twice.
      for (const file of begun) await rm(join(frames, file));
      const { texts, notes } = await readKeyFrames({ ...analysis, folder: frames, readsAll: false }, reading);
      expect(notes).toEqual([]);
      expect(texts.map(({ lines }) => lines)).toEqual([
        ["THE HARBOUR", "A SAMPLE FOR ASIDE"],
        ["MEET ME AT NOON"],
        ["THE END"],
      ]);
    },
    120_000,
  );

  thoroughTest.each<readonly [string, string, number]>([
    ["a title over a moving picture, for as long as it stands in its shot", "OUTER SPACE", 44],
    LARGE_LETTERS,
  ])(
    "reads %s",
    async (_, words, size) => {
      const [from, to] = [2.5, 5.5];
      const { texts, notes } = await readDrawn(`${words}.mp4`, (canvas, at) => {
        drawScene(canvas, at);
        if (at >= from && at < to) canvas.text(words, 320, 180, size, [245, 245, 245]);
      });
      expect(texts.map(({ lines }) => lines)).toEqual([[words]]);
      expect(notes).toEqual([]);
      expect(texts[0]?.start).toBeCloseTo(from, 0);
      expect(texts[0]?.end).toBeCloseTo(to, 0);
    },
    120_000,
  );

  thoroughTest(
    "tells no number that is counted over a picture",
    async () => {
      const { texts } = await readDrawn("counter.mp4", (canvas, at) => {
        drawScene(canvas, at);
        canvas.text(String(100 + Math.floor(at)), 320, 180, 60, [245, 245, 245]);
      });
      expect(texts).toEqual([]);
    },
    120_000,
  );

  thoroughTest(
    "reads nothing where a title stands too short for anybody to read",
    async () => {
      const drawn = await readDrawn("flash.mp4", (canvas, at) => {
        drawScene(canvas, at);
        if (at >= 3 && at < 3.4) canvas.text("OUTER SPACE", 320, 180, 44, [245, 245, 245]);
      });
      expect(drawn).toEqual(NOTHING_READ);
    },
    120_000,
  );

  thoroughTest(
    "names the place of what could not be read for certain",
    async () => {
      const { texts, unread } = await readDrawn("scratched.mp4", (canvas) => {
        canvas.fill([12, 20, 60]);
        canvas.text("MEET ME", 320, 110, 50, [240, 240, 240]);
        canvas.text("THE HARBOUR", 320, 250, 50, [240, 240, 240]);
        // Scratches over the second word leave nothing that could be told for certain.
        for (let x = 310; x < 560; x += 12) canvas.rectangle(x, 220, 5, 60, [240, 240, 240]);
      });
      expect(texts.map(({ lines }) => lines)).toEqual([["MEET ME"]]);
      expect(unread).toMatchObject([
        { start: 0, end: 8, message: expect.stringContaining("could not be read for certain") },
      ]);
    },
    120_000,
  );

  test.each([
    ["ru", "en-US", "Cyrillic letters"],
    // Each is read, or named as unread, as the one above is.
    ...(IS_THOROUGH ? OTHER_CARDS : []),
  ])(
    "tells nothing but the very words of a card: %s in a film in %s",
    async (card, language, named) => {
      const path = sharedCorpora(`languages/ocr-cards/card-${card}.mp4`);
      const { texts, unread } = await readFrom(`${card}-${language}`, { path, language });
      const words = (await readFile(sharedCorpora(`languages/ocr-cards/card-${card}.txt`), "utf8")).trim().split("\n");
      if (texts.length > 0) return expect(texts.map(({ lines }) => lines)).toEqual([words]);
      expect(unread).toHaveLength(1);
      expect(unread[0]?.message).toContain(named);
      expect(unread[0]?.start).toBeCloseTo(1, 0);
      expect(unread[0]?.end).toBeCloseTo(7, 0);
    },
    120_000,
  );

  test("says in a note that there is no language data, and only where there was something to read", async () => {
    const off = { environment: { ASIDE_OCR_DATA: "off" } };
    const { isRead, texts, notes } = await readFrom("card", { path: CARD, ...off });
    expect([isRead, texts]).toEqual([false, []]);
    expect(notes.join(" ")).toContain("ASIDE_OCR_DATA");
    expect(await readFrom("containers/sintel-5s.mp4", off)).toEqual(NOTHING_READ);
  }, 120_000);

  test("says in a note that the language data is damaged", async () => {
    const damaged = join(folder, "damaged");
    await mkdir(damaged);
    await writeFile(join(damaged, "eng.traineddata"), "no data");
    const { isRead, notes } = await readFrom("card", { path: CARD, environment: { ASIDE_OCR_DATA: damaged } });
    expect(isRead).toBe(false);
    expect(notes).toEqual(["The language data for text on screen is damaged."]);
  }, 120_000);

  test("stops when it is told to", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    const keyFrames = [{ at: 1, file: "none.jpg", novelty: 1 }];
    const order = { shots: [SHOT], keyFrames, lettering: [], folder, readsAll: true };
    await using reading = new ScreenTextReader("en-US", {});
    await expect(readKeyFrames(order, reading, signal)).rejects.toThrow("enough");
  });
});

const SHOT: ReadingOrder["shots"][number] = {
  start: 0,
  end: 4,
  opening: "start",
  brightness: 0.4,
  contrast: 0.2,
  saturation: 0.4,
  motion: "still",
  colours: [],
  frozenSeconds: 4,
  titleCard: true,
  keyFrameAt: 1,
};

describe("language data", () => {
  const packaged = async () =>
    readFile(
      join(
        dirname(createRequire(import.meta.url).resolve("@tesseract.js-data/eng/package.json")),
        "4.0.0_best_int/eng.traineddata.gz",
      ),
    );

  test("comes from the user's folder first, packed or not, then from Tesseract's own, then from the package", async () => {
    const [own, prefix] = [join(folder, "own"), join(folder, "prefix")];
    await mkdir(own);
    await mkdir(join(prefix, "tessdata"), { recursive: true });
    await writeFile(join(own, "deu.traineddata.gz"), gzipSync("deu"));
    await writeFile(join(prefix, "tessdata", "fra.traineddata"), gunzipSync(await packaged()));
    const environment = { ASIDE_OCR_DATA: own, TESSDATA_PREFIX: prefix };
    const [german, english] = await findLanguageData("de-DE", environment);
    expect(german).toEqual({ language: "de", name: "deu", path: join(own, "deu.traineddata.gz") });
    expect(english?.name).toBe("eng");
    expect((await findLanguageData("fr-CA", environment))[0]?.path).toBe(join(prefix, "tessdata", "fra.traineddata"));
  });

  test("is English alone where the language has none", async () => {
    expect((await findLanguageData("pa-IN", {})).map(({ name }) => name)).toContain("eng");
    expect(await findLanguageData("pa-IN", { ASIDE_OCR_DATA: "off" })).toEqual([]);
  });
});
