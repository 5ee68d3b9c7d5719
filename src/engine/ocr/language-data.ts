import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Environment } from "../outgoing/local-only.ts";

/** Names of Tesseract's language data by the first subtag of a language code. */
const DATA_NAMES: Readonly<Record<string, string>> = {
  ar: "ara", bg: "bul", bn: "ben", cmn: "chi_sim", cs: "ces", da: "dan", de: "deu", el: "ell", en: "eng", es: "spa",
  et: "est", fi: "fin", fr: "fra", gu: "guj", he: "heb", hi: "hin", hr: "hrv", hu: "hun", id: "ind", it: "ita",
  ja: "jpn", kn: "kan", ko: "kor", lt: "lit", lv: "lav", ml: "mal", mr: "mar", nb: "nor", nl: "nld", pa: "pan",
  pl: "pol", pt: "por", ro: "ron", ru: "rus", sk: "slk", sl: "slv", sr: "srp", sv: "swe", sw: "swa", ta: "tam",
  te: "tel", th: "tha", tr: "tur", uk: "ukr", ur: "urd", vi: "vie", yue: "chi_tra",
}; // biome-ignore format: a table reads better in rows

/** Folders in which Tesseract's own packages put language data. */
const SYSTEM_FOLDERS = [
  "/usr/share/tesseract-ocr/5/tessdata",
  "/usr/share/tesseract-ocr/4.00/tessdata",
  "/usr/share/tessdata",
  "/usr/local/share/tessdata",
  "/opt/homebrew/share/tessdata",
  "C:\\Program Files\\Tesseract-OCR\\tessdata",
];

/** Where the data of one language stands. */
export interface LanguageData {
  /** First subtag of the language's code. */
  readonly language: string;
  /** Tesseract's name of the language, such as `deu`. */
  readonly name: string;
  readonly path: string;
}

/** Tesseract's name for a language code, `null` for one that it has no data for. */
export function dataNameOf(language: string): string | null {
  return DATA_NAMES[language.split("-")[0] ?? ""] ?? null;
}

/**
 * Finds the data to read a language with, and English beside it, which stands on screens everywhere: in the folder of
 * `ASIDE_OCR_DATA`, in that of `TESSDATA_PREFIX`, where the system keeps it, or in the packages `@tesseract.js-data/…`.
 * Nothing is ever downloaded.
 *
 * @returns The language first; empty when there is none at all, or when `ASIDE_OCR_DATA` is `off`.
 */
export async function findLanguageData(language: string, environment: Environment): Promise<LanguageData[]> {
  const own = environment["ASIDE_OCR_DATA"]?.trim() ?? "";
  if (own === "off") return [];
  const prefix = environment["TESSDATA_PREFIX"]?.trim() ?? "";
  const given = [own, ...(prefix === "" ? [] : [prefix, join(prefix, "tessdata")])].filter((folder) => folder !== "");
  const found: LanguageData[] = [];
  for (const wanted of new Set([language.split("-")[0] ?? "", "en"])) {
    const name = dataNameOf(wanted);
    const path = name === null ? null : await firstFile([...given, ...SYSTEM_FOLDERS, ...packageFolders(name)], name);
    if (name !== null && path !== null) found.push({ language: wanted, name, path });
  }
  return found;
}

/** What text on screen can be read with. */
export interface ReadingState {
  readonly isAvailable: boolean;
  /** The languages there is data for, or what to do about none. */
  readonly detail: string;
}

/** Which languages can be read here; looks for the data, does not open it. */
export async function readingState(environment: Environment): Promise<ReadingState> {
  const found = new Set<string>();
  for (const language of Object.keys(DATA_NAMES)) {
    for (const { name } of await findLanguageData(language, environment)) found.add(name);
  }
  if (found.size > 0) return { isAvailable: true, detail: `reads text on screen: ${[...found].sort().join(", ")}` };
  const isOff = environment["ASIDE_OCR_DATA"]?.trim() === "off";
  const detail = isOff ? "switched off by ASIDE_OCR_DATA=off" : "no language data: name its folder in ASIDE_OCR_DATA";
  return { isAvailable: false, detail };
}

/** The data itself, uncompressed. */
export async function readLanguageData({ path }: LanguageData): Promise<Uint8Array> {
  const bytes = await readFile(path);
  return path.endsWith(".gz") ? await promisify(gunzip)(bytes) : bytes;
}

async function firstFile(folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders) {
    for (const ending of ["", ".gz"]) {
      const path = join(folder, `${name}.traineddata${ending}`);
      if ((await stat(path).catch(() => null))?.isFile() === true) return path;
    }
  }
  return null;
}

/** The smaller of a package's two sets first: it is as good on screens, and loads in a third of the time. */
function packageFolders(name: string): string[] {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${name}/package.json`));
    return [join(folder, "4.0.0_best_int"), join(folder, "4.0.0")];
  } catch {
    return [];
  }
}
