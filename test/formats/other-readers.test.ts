import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { findProgram, wholePath } from "../../src/engine/isolate/programs.ts";
import { convertCues, convertToOffice, isOfficeFormat } from "../../src/formats/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** An interpreter that may have python-docx, openpyxl and lxml. */
const PYTHON = await findProgram(process.env["ASIDE_TEST_PYTHON"] ?? "python3");

/** Prints the words that a program of others finds in a file, as JSON. */
const READERS = {
  docx: "import docx; print(json.dumps([r.cells[-1].text for r in docx.Document(path).tables[0].rows][1:]))",
  xlsx: "import openpyxl; print(json.dumps([r[-1] for r in openpyxl.load_workbook(path).active.iter_rows(values_only=True)][1:]))",
  csv: "import csv; print(json.dumps([r[3] for r in csv.reader(open(path, encoding='utf-8', newline=''))][1:]))",
  ttml: "from lxml import etree; print(json.dumps([' '.join(''.join(e.itertext()).split()) for e in etree.parse(path).iter('{*}p')]))",
  fcpxml:
    "from lxml import etree; print(json.dumps([e.get('note') or e.get('value') for e in etree.parse(path).iter('marker')]))",
  "fcp7-xml":
    "from lxml import etree; print(json.dumps([e.findtext('comment') for e in etree.parse(path).iter('marker') if e.findtext('comment')]))",
  vtt: "import re, html; print(json.dumps([html.unescape(re.sub('<[^>]*>', '', b.split('\\n')[-1])) for b in open(path, encoding='utf-8').read().strip().split('\\n\\n')[1:]]))",
  sbv: "print(json.dumps([b.split('\\n')[1] for b in open(path, encoding='utf-8').read().strip().split('\\n\\n')]))",
  json: "print(json.dumps([c.get('as_typed', c['description']) for c in json.load(open(path, encoding='utf-8'))]))",
} as const;

/** Words that look like markup, references, formulas or directions somewhere. */
const TYPED = [
  "5 < 6 <b> &amp; done.",
  "A sign reads <EXIT>.",
  "R&B, Q&A and AT&T; R&amp;B &lt;3.",
  "x<y and y>z, she writes.",
  "{b} and {\\an8} stand on the card.",
  'Tab, "quotes"; semicolon | bar.',
  "An arrow --> points left.",
  "'Tis late, says the clock.",
  "A *star*, _lines_, #1 [a](b) `c`. Line [br] break.",
  "[slowly] A door opens. {pause}",
];

// The keys are the names.
test.for(Object.keys(READERS) as (keyof typeof READERS)[])(
  "another program shows the words of %s as they were typed",
  async (format, { skip }) => {
    const cues = TYPED.map((text, index) => ({ id: `k${index}`, start: 2 * index + 1, end: 2 * index + 2, text }));
    const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
    const path = join(await temporaryFolder(), `cues.${format}`);
    const written = isOfficeFormat(format)
      ? convertToOffice({ cues, extras: [] }, { format }).bytes
      : convertCues({ format: null, cues, issues: [], extras: [] }, { format, grid }).text;
    await writeFile(path, written);
    const script = `import json, sys\npath = sys.argv[1]\n${READERS[format]}`;
    if (PYTHON === null) return skip("there is no Python here");
    const { status, stdout, stderr, error } = spawnSync(wholePath(PYTHON), ["-c", script, path], { encoding: "utf8" });
    if (error !== undefined || /ModuleNotFoundError/.test(stderr)) skip(`${PYTHON} cannot read it here`);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual(TYPED);
  },
);
