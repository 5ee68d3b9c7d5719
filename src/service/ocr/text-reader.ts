import loadCore, { type TessBaseApi, type TesseractCore } from "tesseract.js-core/tesseract-core-simd-lstm.js";
import { type LanguageData, readLanguageData } from "./language-data.ts";
import { NOTHING_SEEN, type ReadLines, readLines } from "./text-lines.ts";

/** Tesseract's neural recogniser alone. */
const NEURAL = 1;

/** Text anywhere in the picture, in no layout that could be foretold. */
const SPARSE_TEXT = 11;

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

  /** The lines that stand in a picture, JPEG or PNG; blocks for about 0.1 s. */
  read(picture: Uint8Array): ReadLines {
    this.#core.FS.writeFile(INPUT, picture);
    if (this.#api.SetImageFile(1, 0) !== 0 || this.#api.Recognize(null) !== 0) return NOTHING_SEEN;
    return readLines(this.#api.GetTSVText(0));
  }

  [Symbol.dispose](): void {
    this.#api.End();
    this.#core.destroy(this.#api);
  }
}
