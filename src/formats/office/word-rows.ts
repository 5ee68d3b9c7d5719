import type { ReceiptBuilder } from "../parse-issue.ts";
import { attributeOf, childElements, localName, ownText, type XmlElement } from "../xml/xml-element.ts";
import { childrenOf, type OfficeRow } from "./office-package.ts";

/** Elements that hold no words of the document as it reads, and are no loss: settings, instructions, second forms of a drawing. */
const SILENT: ReadonlySet<string> = new Set([
  ...["Fallback", "instrText", "delInstrText", "rPr", "tblPr", "tcPr", "trPr", "sdtPr", "rt", "rubyPr"],
]);

/** Elements whose words nobody sees where they stand, as they are called in a receipt. */
const UNSEEN: Readonly<Record<string, string>> = {
  del: "tracked deletion",
  moveFrom: "tracked deletion",
  txbxContent: "text box",
};

/** Marks of what stands elsewhere: at the foot, at the end, or beside the page. */
const MARKS: Readonly<Record<string, string>> = {
  footnoteReference: "footnote",
  endnoteReference: "endnote",
  commentReference: "comment",
};

/** Elements that stand for characters (ECMA-376 part 1, 17.3.3). */
const CHARACTERS: Readonly<Record<string, string>> = { tab: "\t", br: "\n", cr: "\n", noBreakHyphen: "\u2011" };

/** Columns that a cell may span; Word has 63 (ECMA-376 part 1, 17.4.17). */
const MOST_COLUMNS = 63;

/** Styles that a style may be based on, one on another; Word has 9. */
const MOST_BASES = 16;

/** The rows of a Word document in order: a row of a table has its cells, a paragraph outside of tables is a row of one value. */
export function wordRows(document: XmlElement, styles: XmlElement | null, receipt: ReceiptBuilder): OfficeRow[] {
  return new WordReader(styles, receipt).blocks(document);
}

class WordReader {
  readonly #receipt: ReceiptBuilder;
  readonly #styles: ReadonlyMap<string, XmlElement>;

  constructor(styles: XmlElement | null, receipt: ReceiptBuilder) {
    this.#receipt = receipt;
    this.#styles = new Map(childrenOf(styles, "style").map((style) => [attributeOf(style, "styleId") ?? "", style]));
  }

  /** Paragraphs and rows inside an element, through whatever wraps them: the body, content controls, revisions. */
  blocks(parent: XmlElement, isCell = false): OfficeRow[] {
    return childElements(parent).flatMap((element): OfficeRow[] => {
      const name = localName(element.name);
      if (this.#isUnseen(element) || isPlaceholder(element)) return [];
      if (name === "p") {
        const lines = this.#text(element, this.#styleOf(element, "pStyle")).split("\n");
        return lines.map((line) => ({ cells: [line], isContinued: false }));
      }
      if (name === "tbl" && isCell && childrenOf(parent, "p").some((own) => hasText(own))) {
        this.#receipt.leaveOut("table inside a cell", 1, [wordsIn(element)]);
        return [];
      }
      return name === "tr" ? this.#row(element) : this.blocks(element, isCell);
    });
  }

  #row(row: XmlElement): OfficeRow[] {
    const [properties] = childrenOf(row, "trPr");
    const isDeleted = childrenOf(properties, "del").length > 0;
    if (isDeleted || isOn(childrenOf(properties, "hidden")[0])) {
      this.#receipt.leaveOut(isDeleted ? "deleted row" : "hidden row", 1, [wordsIn(row)]);
      return [];
    }
    const cells: string[] = emptyCells(childrenOf(properties, "gridBefore")[0], 0);
    let isContinued = false;
    for (const cell of wrapped(row, "tc")) {
      const [own] = childrenOf(cell, "tcPr");
      const lines = this.blocks(cell, true).map((block) => block.cells.join(" "));
      const [merge] = childrenOf(own, "vMerge");
      isContinued ||= merge !== undefined && attributeOf(merge, "val") !== "restart";
      cells.push(lines.join("\n").trim(), ...emptyCells(childrenOf(own, "gridSpan")[0], 1));
    }
    return [{ cells, isContinued }];
  }

  #text(element: XmlElement, isHidden: boolean): string {
    if (localName(element.name) === "t") return ownText(element);
    return childElements(element)
      .map((child): string => {
        const name = localName(child.name);
        if (name === "r") return this.#run(child, isHidden);
        if (name === "pPr" || this.#isUnseen(child) || isPlaceholder(child)) return "";
        const mark = MARKS[name];
        if (mark !== undefined) this.#receipt.leaveOut(mark);
        return CHARACTERS[name] ?? this.#text(child, isHidden);
      })
      .join("");
  }

  /** The words of a run, unless they are hidden or struck out. */
  #run(run: XmlElement, isParagraphHidden: boolean): string {
    const [own] = childrenOf(run, "rPr");
    const text = this.#text(run, isParagraphHidden);
    if (text.trim() === "") return text;
    const [vanish] = childrenOf(own, "vanish");
    const isHidden = vanish === undefined ? isParagraphHidden || this.#styleOf(run, "rStyle") : isOn(vanish);
    const isStruck = ["strike", "dstrike"].some((name) => isOn(childrenOf(own, name)[0]));
    if (!isHidden && !isStruck) return text;
    this.#receipt.leaveOut(isHidden ? "hidden passage" : "struck-out passage", 1, [text]);
    return "";
  }

  /** Whether the style of a run or a paragraph hides it, by itself or by what it is based on. */
  #styleOf(element: XmlElement, kind: "rStyle" | "pStyle"): boolean {
    const [own] = childrenOf(element, kind === "rStyle" ? "rPr" : "pPr");
    const [named] = childrenOf(own, kind);
    let id = named === undefined ? "" : (attributeOf(named, "val") ?? "");
    for (let step = 0; step < MOST_BASES; step++) {
      const style = this.#styles.get(id);
      if (style === undefined) return false;
      const [vanish] = childrenOf(childrenOf(style, "rPr")[0], "vanish");
      if (vanish !== undefined) return isOn(vanish);
      const [base] = childrenOf(style, "basedOn");
      id = base === undefined ? "" : (attributeOf(base, "val") ?? "");
    }
    return false;
  }

  #isUnseen(element: XmlElement): boolean {
    const name = localName(element.name);
    const what = UNSEEN[name];
    // What is marked without words of its own is no loss: a deleted mark of a paragraph.
    if (what !== undefined && childElements(element).length > 0) this.#receipt.leaveOut(what, 1, [wordsIn(element)]);
    return what !== undefined || SILENT.has(name);
  }
}

/** Whether words stand in an element, hidden or not; what was deleted is none. */
function hasText(element: XmlElement): boolean {
  return childElements(element).some((child) =>
    localName(child.name) === "t" ? ownText(child).trim() !== "" : hasText(child),
  );
}

/** The words in an element, hidden and deleted ones too; paragraphs and cells are parted by spaces. */
function wordsIn(element: XmlElement): string {
  return childElements(element)
    .map((child) => {
      const name = localName(child.name);
      if (name === "t" || name === "delText") return ownText(child);
      return name === "p" ? `${wordsIn(child)} ` : wordsIn(child);
    })
    .join("");
}

/** Whether a content control shows what Word invites to type, in place of words. */
function isPlaceholder(element: XmlElement): boolean {
  return isOn(childrenOf(childrenOf(element, "sdtPr")[0], "showingPlcHdr")[0]);
}

/** Whether a property that is on or off is on (ECMA-376 part 1, 17.17.4). */
function isOn(property: XmlElement | undefined): boolean {
  return property !== undefined && !/^(?:0|false|off)$/.test(attributeOf(property, "val") ?? "");
}

/** As many empty values as an element states beyond those that are there. */
function emptyCells(element: XmlElement | undefined, there: number): string[] {
  const stated = element === undefined ? there : Number(attributeOf(element, "val") ?? "");
  const count = Number.isFinite(stated) ? Math.min(stated, MOST_COLUMNS) - there : 0;
  return Array.from({ length: Math.max(0, Math.floor(count)) }, () => "");
}

/** The elements of a name inside another, through whatever wraps them; what was deleted is none of them. */
function wrapped(parent: XmlElement, local: string): XmlElement[] {
  return childElements(parent).flatMap((element) => {
    const name = localName(element.name);
    if (SILENT.has(name) || UNSEEN[name] !== undefined) return [];
    return name === local ? [element] : wrapped(element, local);
  });
}
