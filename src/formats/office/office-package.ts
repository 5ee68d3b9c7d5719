import { unzipSync } from "fflate";
import { decodeText } from "../decode-text.ts";
import { parseXml } from "../xml/parse-xml.ts";
import { childElements, localName, type XmlElement } from "../xml/xml-element.ts";

/** A document of Word or Excel, or a spreadsheet, that cannot be read or written. Its message follows the name of the file, without full stop. */
export class OfficeFault extends Error {}

/** The parts that hold words, cells and times (ECMA-376 part 1, 11.3.10, 12.3; OpenDocument 1.3 part 2, 3.1); pictures, themes and the rest stay packed. */
const PARTS =
  /^(?:word\/document\d*\.xml|word\/styles\d*\.xml|xl\/workbook\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/styles\.xml|xl\/sharedStrings\.xml|xl\/worksheets\/[^/]+\.xml|content\.xml)$/i;

/** Bytes of these parts once they are unpacked, at most: far beyond any script, and little enough to hold. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A document of Word or Excel, or an OpenDocument spreadsheet, unpacked as far as it holds words. */
export class OfficePackage {
  readonly #parts: ReadonlyMap<string, Uint8Array>;

  /** @throws OfficeFault for bytes that are no whole archive, or that hold more than is read. */
  constructor(bytes: Uint8Array) {
    this.#parts = unpacked(bytes);
  }

  /** Names of the parts, in small letters. */
  get names(): string[] {
    return [...this.#parts.keys()];
  }

  /**
   * The outermost element of a part; `null` for a part that is not there.
   *
   * @throws OfficeFault for one that is no XML.
   */
  root(name: string): XmlElement | null {
    const bytes = this.#parts.get(name.toLowerCase());
    if (bytes === undefined) return null;
    const { root, faults } = parseXml(decoded(bytes));
    if (root === null || faults.length > 0) throw new OfficeFault(DAMAGED);
    return root;
  }
}

const DAMAGED = "is a damaged document of Word, Excel or Calc: open it there and save it again";

function unpacked(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const sizes = new Map<string, number>();
  let sum = 0;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, {
      // What an archive states is what is made room for: more cannot come out of it.
      filter: ({ name, originalSize }) => {
        if (!PARTS.test(name)) return false;
        sum += originalSize;
        sizes.set(name, originalSize);
        if (sum > MOST_BYTES) throw new OfficeFault("holds more than a script: give its table alone");
        return true;
      },
    });
  } catch (error) {
    throw error instanceof OfficeFault ? error : new OfficeFault(DAMAGED);
  }
  const parts = Object.entries(files);
  if (parts.some(([name, { length }]) => length !== sizes.get(name))) throw new OfficeFault(DAMAGED);
  return new Map(parts.map(([name, part]) => [name.toLowerCase(), part]));
}

function decoded(bytes: Uint8Array): string {
  const text = decodeText(bytes)?.text;
  if (text === undefined) throw new OfficeFault(DAMAGED);
  return text;
}

/** A row of a table, or a paragraph outside of tables, which is a row of one value. */
export interface OfficeRow {
  readonly cells: readonly string[];
  /** Whether a cell of the row above reaches into it. */
  readonly isContinued: boolean;
}

/** The elements of a name, whatever their prefix, directly inside an element. */
export function childrenOf(element: XmlElement | null | undefined, local: string): XmlElement[] {
  return element ? childElements(element).filter((child) => localName(child.name) === local) : [];
}
