/** A row of the marker table that Avid Media Composer puts behind the events. */
export interface EdlTableMarker {
  readonly label: string;
  /** Label of its end; empty for a marker without length. */
  readonly endLabel: string;
  readonly name: string;
  readonly comment: string;
  readonly line: number;
}

const TITLE = "Marker Metadata";
const ROW = /^\s*\d+\s/;
const LABEL = /^\d{1,3}[:;]\d\d[:;]\d\d[:;]\d{2,3}$/;

/** Reads the table line by line: its title, its head, which says where the columns stand, its rows. */
export class EdlMarkerTable {
  readonly markers: EdlTableMarker[] = [];
  #isInside = false;
  #columns: readonly { readonly name: string; readonly start: number }[] = [];

  /** Whether a line (without its star, otherwise as it stands) belongs to the table. */
  read(line: string, number: number): boolean {
    const words = line.trim();
    if (words === TITLE) this.#isInside = true;
    if (!this.#isInside) return /^[=-]{8,}$/.test(words);
    if (words.startsWith("Number") && words.includes("Start TC")) this.#columns = columnsOf(line);
    else if (this.#columns.length > 0 && ROW.test(line)) this.#readRow(line, number);
    return true;
  }

  #readRow(line: string, number: number): void {
    const label = this.#value(line, "Start TC");
    if (!LABEL.test(label)) return;
    const end = this.#value(line, "End TC");
    this.markers.push({
      label,
      endLabel: LABEL.test(end) ? end : "",
      name: this.#value(line, "Marker Name"),
      comment: this.#value(line, "Comment"),
      line: number,
    });
  }

  #value(line: string, name: string): string {
    const index = this.#columns.findIndex((column) => column.name === name);
    const column = this.#columns[index];
    return column === undefined ? "" : line.slice(column.start, this.#columns[index + 1]?.start).trim();
  }
}

/** Where each column begins: its name stands above the first character of its values. */
function columnsOf(head: string): { name: string; start: number }[] {
  return ["Number", "Color", "Marker Name", "Start TC", "End TC", "Duration", "Track", "Part", "Comment"]
    .map((name) => ({ name, start: head.indexOf(name) }))
    .filter((column) => column.start !== -1);
}
