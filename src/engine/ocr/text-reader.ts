import loadCore, { type TessBaseApi, type TesseractCore } from "tesseract.js-core/tesseract-core-simd-lstm.js";
import { lumaOf } from "../ffmpeg/decode/small-picture.ts";
import { findLettering, type GreyPicture, inverted, letteringAlone, shrunk } from "../letter-strokes.ts";
import { type LanguageData, readLanguageData } from "./language-data.ts";
import { agreedLines, linesOf, mayBearOut, mayHoldWords, type ReadLine, type ReadLines } from "./text-lines.ts";

/** Tesseract's neural recogniser alone. */
const NEURAL = 1;

/** Text anywhere in the picture, in no layout that could be foretold. */
const SPARSE_TEXT = 11;

/** How far below its own lettering may lie to be read as its ink, see `letteringAlone`: thin letters take more, busy pictures less. */
const TOLERANCE = { usual: 40, narrow: 24 } as const;

const DATA_FOLDER = "/tessdata";

/** Where the engine looks for a picture. */
const INPUT = "/input";

/** Reads text in pictures: Tesseract, compiled to WebAssembly, in this thread. Some 30 MB while it is open. */
export class TextReader implements Disposable {
  readonly #core: TesseractCore;
  readonly #api: TessBaseApi;

  private constructor(core: TesseractCore, api: TessBaseApi) {
    this.#core = core;
    this.#api = api;
  }

  /**
   * Opens the engine with the data of one or more languages.
   *
   * @throws Error when the data is no language data.
   */
  static async open(data: readonly LanguageData[]): Promise<TextReader> {
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
    return new TextReader(core, api);
  }

  /**
   * The lines that stand in a picture, a JPEG: those that two readings agree on, of the picture and of its lettering alone, in several
   * sizes: letters of a third of the height are read right at half or a third of their size alone. Blocks for 0.1 to 0.5 s.
   *
   * @throws FFmpegError when it is no JPEG.
   */
  read(jpeg: Uint8Array): ReadLines {
    const luma = lumaOf(jpeg);
    const whole: GreyPicture = { ...luma, stride: luma.width };
    const lettering = findLettering(whole, 1);
    const alone = letteringAlone(whole, lettering, TOLERANCE.usual);
    const readings = [this.#linesIn(whole, 2, true), this.#linesIn(alone, 1, false), this.#linesIn(alone, 2, false)];
    if (!readings.some(mayHoldWords)) return agreedLines(readings);
    readings.push(this.#linesIn(whole, 1, true));
    if (!readings.some(mayBearOut)) return agreedLines(readings);
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
      const agreed = agreedLines(readings);
      if (agreed.lines.length > 0 && !agreed.isPartial) return agreed;
      readings.push(read());
    }
    return agreedLines(readings);
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
