// The package brings no declarations; these name the part in use, after Tesseract's own API.
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  /** One recogniser. */
  export interface TessBaseApi {
    /** @returns 0 when the data could be used. */
    Init(folder: string, languages: string, engineMode: number): number;
    SetPageSegMode(mode: number): void;
    /** Takes the picture at `/input`. @returns 0 when it could be read. */
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    /** 0 for a word that is not in the dictionary of the first language. */
    IsValidWord(word: string): number;
    End(): void;
  }

  /** The engine with its file system in memory. */
  export interface TesseractCore {
    readonly TessBaseAPI: new () => TessBaseApi;
    readonly FS: {
      mkdir(path: string): void;
      writeFile(path: string, bytes: Uint8Array): void;
      unlink(path: string): void;
    };
    destroy(api: TessBaseApi): void;
  }

  const load: (hooks: {
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
    readonly TesseractProgress: () => void;
  }) => Promise<TesseractCore>;
  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default load;
}
