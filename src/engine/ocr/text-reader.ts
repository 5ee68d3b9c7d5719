import loadCore, { type TessBaseApi, type TesseractCore } from "tesseract.js-core/tesseract-core-simd-lstm.js";
import { lumaOf } from "../ffmpeg/decode/small-picture.ts";
import {
  findLettering,
  type GreyPicture,
  inverted,
  type Lettering,
  letteringAlone,
  shrunk,
} from "../letter-strokes.ts";
import { looksLikeTitle, measureStill } from "../still-measures.ts";
import { isCertain, type ReadingMeans } from "./certain-line.ts";
import { inkOfBlack, inkOfColour, inkOnCard, paperShare } from "./ink.ts";
import { type LanguageData, readLanguageData } from "./language-data.ts";
import { unreadWriting } from "./tell-writing.ts";
import {
  type AgreedLines,
  agreedLines,
  linesOf,
  mayBearOut,
  mayHoldWords,
  type ReadLine,
  type ReadLines,
} from "./text-lines.ts";

/** Tesseract's neural recogniser alone. */
const NEURAL = 1;

/** Text anywhere in the picture, in no layout that could be foretold. */
const SPARSE_TEXT = 11;

/** How far below its own lettering may lie to be read as its ink, see `letteringAlone`: thin letters take more, busy pictures less. */
const TOLERANCE = { usual: 40, narrow: 24 } as const;

/** Share of a picture without any detail from which it is a card, however little stands on it; and of one colour that any card has. */
const CARD = { flat: 0.97, paper: 0.75 };

const DATA_FOLDER = "/tessdata";

/** Where the engine looks for a picture. */
const INPUT = "/input";

/** Reads text in pictures: Tesseract, compiled to WebAssembly, in this thread. Some 30 MB while it is open. */
export class TextReader implements Disposable {
  readonly #core: TesseractCore;
  readonly #api: TessBaseApi;
  readonly #means: Omit<ReadingMeans, "ink" | "isCard">;

  private constructor(core: TesseractCore, api: TessBaseApi, language: string, data: readonly LanguageData[]) {
    this.#core = core;
    this.#api = api;
    this.#means = {
      language: language.split("-")[0] ?? "",
      readable: data.map((one) => one.language),
      isKnown: (word) => api.IsValidWord(word) !== 0,
    };
  }

  /**
   * Opens the engine with the data of one or more languages.
   *
   * @param language BCP-47 code of what is read first of all; where its data is missing, hardly anything is certain.
   * @throws Error when the data is no language data.
   */
  static async open(data: readonly LanguageData[], language: string): Promise<TextReader> {
    const discard = () => {};
    const core = await loadCore({ print: discard, printErr: discard, TesseractProgress: discard });
    core.FS.mkdir(DATA_FOLDER);
    const fileOf = ({ name }: LanguageData) => `${DATA_FOLDER}/${name}.traineddata`;
    for (const one of data) core.FS.writeFile(fileOf(one), await readLanguageData(one));
    const api = new core.TessBaseAPI();
    const languages = data.map(({ name }) => name).join("+");
    if (api.Init(DATA_FOLDER, languages, NEURAL) !== 0) throw new Error("the language data cannot be used");
    // The engine has a copy of its own.
    for (const one of data) core.FS.unlink(fileOf(one));
    api.SetPageSegMode(SPARSE_TEXT);
    return new TextReader(core, api, language, data);
  }

  /**
   * The lines that stand in a picture, a JPEG: those that two readings agree on, of the picture and of its lettering alone, in several
   * sizes: letters of a third of the height are read right at half or a third of their size alone; of these lines, those that are
   * certain. Blocks for 0.1 to 0.5 s.
   *
   * @throws FFmpegError when it is no JPEG.
   */
  read(jpeg: Uint8Array): ReadLines {
    const luma = lumaOf(jpeg);
    const whole: GreyPicture = { ...luma, stride: luma.width };
    const lettering = findLettering(whole, 1);
    const alone = letteringAlone(whole, lettering, TOLERANCE.usual);
    const still = measureStill(whole);
    const isCard = (still.flat >= CARD.flat || looksLikeTitle(still)) && paperShare(whole) >= CARD.paper;
    const ink = isCard ? inkOnCard(whole) : inkOfColour(whole, lettering);
    const { believed, ...agreed } = this.#agreed(whole, lettering, alone, { ink, isCard });
    const unread = unreadWriting(isCard ? ink : inkOfBlack(alone), believed, this.#means.readable, isCard);
    return { ...agreed, isPartial: agreed.isPartial || unread !== null, unread: unread?.system ?? null };
  }

  /** The lines that readings of a picture agree on, and that are certain. */
  #agreed(
    whole: GreyPicture,
    lettering: Lettering,
    alone: GreyPicture,
    shown: Pick<ReadingMeans, "ink" | "isCard">,
  ): AgreedLines {
    const agreedOn = (readings: readonly ReadLine[][]) =>
      agreedLines(readings, (line, all) => isCertain(line, all, { ...this.#means, ...shown }));
    const readings = [this.#linesIn(whole, 2, true), this.#linesIn(alone, 1, false), this.#linesIn(alone, 2, false)];
    if (!readings.some(mayHoldWords)) return agreedOn(readings);
    readings.push(this.#linesIn(whole, 1, true));
    if (!readings.some(mayBearOut)) return agreedOn(readings);
    // Most pictures need no further reading: what only these take is made when the first of them is read.
    let narrow: GreyPicture | undefined;
    const narrowly = () => {
      narrow ??= letteringAlone(whole, lettering, TOLERANCE.narrow);
      return narrow;
    };
    // The same upside down in brightness is read anew: edges that were doubtful fall to the other side.
    const others = [
      () => this.#linesIn(inverted(whole), 1, true),
      () => this.#linesIn(narrowly(), 1, false),
      () => this.#linesIn(narrowly(), 2, false),
      () => this.#linesIn(alone, 3, false),
      () => this.#linesIn(narrowly(), 3, false),
    ];
    for (const read of others) {
      const agreed = agreedOn(readings);
      if (agreed.lines.length > 0 && !agreed.isPartial) return agreed;
      readings.push(read());
    }
    return agreedOn(readings);
  }

  #linesIn(picture: GreyPicture, times: number, isUntreated: boolean): ReadLine[] {
    const { width, height, rows } = times === 1 ? picture : shrunk(picture, times);
    const header = Buffer.from(`P5\n${width} ${height}\n255\n`);
    this.#core.FS.writeFile(INPUT, Buffer.concat([header, rows]));
    if (this.#api.SetImageFile(1, 0) !== 0 || this.#api.Recognize(null) !== 0) return [];
    return linesOf(this.#api.GetTSVText(0), times, isUntreated);
  }

  [Symbol.dispose](): void {
    this.#api.End();
    this.#core.destroy(this.#api);
  }
}
