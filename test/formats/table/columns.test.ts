import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { readDocument } from "../../../src/formats/index.ts";
import { chosenBy } from "../../../src/formats/read-by.ts";
import { parseCueTable, type TableReading } from "../../../src/formats/table/cue-table.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
const read = (lines: readonly string[], reading: TableReading = {}) => parseCueTable(lines.join("\n"), reading);
const rowsOf = (lines: readonly string[], reading: TableReading = {}) =>
  read(lines, reading).cues.map(({ start, end, text }) => [start, end, text]);

describe("a head in the language of its writer", () => {
  const LONG = "A line of dialogue that is far longer than what is said of the picture beside it.";
  test.each([
    ["en", "No.\tTC In\tTC Out\tDialogue before\tAudio Description\tNotes"],
    ["de", "Nr.\tTC ein\tTC aus\tStichwort\tAD-Text\tAnmerkungen"],
    ["fr", "N°\tDébut\tFin\tDernière réplique\tTexte\tRemarques"],
    ["es", "N.º\tEntrada\tSalida\tDiálogo anterior\tAudiodescripción\tObservaciones"],
    ["it", "N.\tInizio\tFine\tBattuta precedente\tDescrizione\tNote"],
    ["pt", "N.º\tInício\tFim\tDiálogo anterior\tDescrição\tObservações"],
    ["nl", "Nr\tBegintijd\tEindtijd\tVoorafgaande dialoog\tBeschrijving\tOpmerkingen"],
    ["pl", "Lp.\tPoczątek\tKoniec\tPoprzedni dialog\tOpis\tUwagi"],
    ["ja", "番号\t開始\t終了\t直前の台詞\t説明\t備考"],
  ])("in %s tells times, words and dialogue apart, whatever is longer", (_, head) => {
    const { cues, receipt } = read([head, `7\t0:01.0\t0:02.5\t${LONG}\tA door opens.\tquick`]);
    expect(cues).toEqual([{ id: "7", start: 1, end: 2.5, text: "A door opens." }]);
    expect(receipt?.leftOut[0]).toEqual({ what: "cell of dialogue", count: 1, words: [LONG] });
  });
});

describe("a length", () => {
  test.each([
    ["Duration (s)", "2.5", 3.5],
    ["Dauer [Sek.]", "2,5", 3.5],
    ["Durée", "3", 4],
    ["Length", "2.5 sec", 3.5],
    ["Length", '2.5"', 3.5],
    ["Duration", "2500 ms", 3.5],
    ["duration_ms", "2500", 3.5],
    ["尺（秒）", "2.5", 3.5],
    ["Duration (mm:ss)", "0:03", 4],
    ["Duration", "00:00:02:05", 3.2],
    ["Duration (frames)", "5", 1.2],
  ])("under %j of %j is added to the start", (head, value, end) => {
    for (const start of ["00:00:01:00", "0:01.0"]) {
      const rows = rowsOf([`In\tDescription\t${head}`, `${start}\tA door opens.\t${value}`], { grid: GRID });
      expect(rows).toEqual([[1, end, "A door opens."]]);
    }
  });
});

describe("what numbers count", () => {
  test("stands in the head, behind the number, or beside the row", () => {
    expect(rowsOf(["start_ms,end_ms,text", "1000,2500,a"])).toEqual([[1, 2.5, "a"]]);
    expect(rowsOf(["Start Frame,End Frame,Text", "25,50,a"], { grid: GRID })).toEqual([[1, 2, "a"]]);
    expect(rowsOf(["Min,Sec,Text", "1,2.5,a"]).map(([start]) => start)).toEqual([62.5]);
    const audition = ["Name\tStart\tDuration\tTime Format\tType\tDescription", "x\t0:01:30\t0:01:00\t75 fps\tCue\ta"];
    expect(rowsOf(audition)).toEqual([[1.4, 2.4, "a"]]);
  });

  test("of frames is unknown without a rate, and that is said", () => {
    const { cues, verdict } = read(["Start Frame,Text", "25,a"]);
    expect(cues).toEqual([]);
    expect(verdict).toMatchObject({
      kind: "does not fit",
      why: expect.stringContaining("of which rate"),
      mend: "rate",
    });
  });
});

describe("the words", () => {
  const TWO = [
    "In,Out,Spoken,Said",
    "0:01,0:02,A door opens slowly.,Who is there now?",
    "0:03,0:04,She goes out again.,Nobody is there.",
  ];

  test("are asked for where two columns of unknown names hold prose, with what each would mean", () => {
    const { cues, verdict } = read(TWO);
    expect(cues).toEqual([]);
    expect(verdict).toMatchObject({ kind: "unsure", question: "Which column holds the descriptions?" });
    expect(
      verdict?.kind === "unsure" &&
        verdict.readings.map(({ label, choice, fit, preview }) => [label, choice.column, fit, preview[0]?.text]),
    ).toEqual([
      ['the column "Spoken"', "C", 0.5, "A door opens slowly."],
      ['the column "Said"', "D", 0.5, "Who is there now?"],
    ]);
  });

  test.each(["C", "c", "Spoken", "spoken"])("are those of the column that a person names %j", (text) => {
    expect(rowsOf(TWO, { columns: { text } }).map(([, , words]) => words)).toEqual([
      "A door opens slowly.",
      "She goes out again.",
    ]);
  });

  test("are of the first description where there are several, and the others are told", () => {
    const { cues, receipt } = read(["In,Out,Description EN,Description FR", "0:01,0:02,A gull.,Une mouette."]);
    expect(cues[0]?.text).toBe("A gull.");
    expect(receipt).toEqual({
      facts: ['1 description from the column "Description EN"'],
      choices: { column: '1 description from the column "Description EN"' },
      leftOut: [{ what: 'cell of the column "Description FR"', count: 1, words: ["Une mouette."] }],
    });
  });

  test("are no choice where no row can be read", () => {
    const { receipt } = read(["In,Out,Text", "noon,one,a"]);
    expect(receipt).toEqual({ facts: ['0 descriptions from the column "Text"'], leftOut: [] });
  });

  test("are called captions where they are dialogue", () => {
    const { receipt } = read(["In,Out,Text", "0:01,0:02,Who is it?"], { holds: "dialogue" });
    expect(receipt?.facts).toEqual(['1 caption from the column "Text"']);
  });

  test.each([
    ["dialogue", "In,Out,Dialogue", "0:01,0:02,Who is there now?", "holds dialogue and no descriptions"],
    ["files", "Clip,In,Out,File Path", "A001C002,0:01,0:02,/Volumes/Day 1/A001C002.mov", "names of files and no words"],
    ["shots", "Shot,In,Out,Handles", "FER_010_0010,0:01,0:02,8", "names of shots and no words"],
    ["music", "Title,Composer,In,Out", "Ferry Theme,A. Sand,0:01,0:02", "is a music cue sheet"],
    ["takes", "File Name,Scene,Take,Start,Note", "T001.wav,12,1,0:01,plane overhead", "is a list of takes"],
  ])("are none of a table of %s, which is said", (_, head, row, why) => {
    const { cues, verdict } = read([head, row]);
    expect(cues).toEqual([]);
    expect(verdict).toMatchObject({ kind: "does not fit", why: expect.stringContaining(why) });
  });

  test("are not a column that speaks to the voice, nor one with the same in every row", () => {
    const rows = [
      '0:01,0:02,She goes out.,"quick, under music",scene one of three',
      "0:03,0:04,It rains.,[slowly],scene one of three",
    ];
    expect(rowsOf(rows).map(([, , words]) => words)).toEqual(["She goes out.", "It rains."]);
  });
});

describe("columns that a person names", () => {
  test("are the words' alone, or a list; whatever is no list is the name of one", () => {
    const named = (column: string) => chosenBy({ column }).columns;
    expect(named("C")).toEqual({ text: "C" });
    expect(named("start=A, duration=C,text=E")).toEqual({ start: "A", duration: "C", text: "E" });
    expect(named("text = Wort, ganz = so")).toEqual({ text: "text = Wort, ganz = so" });
    expect(named("text = Wort, ganz")).toEqual({ text: "Wort, ganz" });
    for (const head of ["speed=A", "start=A,speed=B", "text=", "Who, what"])
      expect(named(head)).toEqual({ text: head });
    expect(chosenBy({})).not.toHaveProperty("columns");
  });

  test("rule over heads and cells, and make a head of a row that nobody knows", () => {
    const lines = ["Wann;Wie viel;Was", "0:01;2,5;Eine Tür geht auf."];
    const columns = { start: "Wann", duration: "B", text: "was" };
    expect(rowsOf(lines, { columns })).toEqual([[1, 3.5, "Eine Tür geht auf."]]);
    expect(readDocument("0:01|x|A door.\n", { columns: { start: "A", text: "C" } })).toMatchObject({
      format: "csv",
      cues: [{ start: 1, text: "A door." }],
    });
  });

  test("that are not there are told, with those that are", () => {
    const { verdict } = read(["In,Out,Text", "0:01,0:02,a"], { columns: { text: "Words" } });
    expect(verdict).toEqual({
      kind: "does not fit",
      mend: "column",
      why: 'it has no column "Words": the column "In", the column "Out", the column "Text"',
    });
  });
});

test("in and out stand together in a column where most of its cells have both, whatever times stand beside it", () => {
  const read = (cells: readonly string[], beside: string) => {
    const rows = cells.map((cell, at) => `${cell}${beside}\tA man walks along row ${at} of the field.`);
    return rowsOf(rows).map(([start, end]) => [start, end]);
  };
  const both = ["0:01.0 0:02.5", "0:03.0 0:04.5", "0:05.0 0:06.5"];
  const spans = [
    [1, 2.5],
    [3, 4.5],
    [5, 6.5],
  ];
  for (const beside of ["", "\t0:59.0"]) {
    expect(read(both, beside)).toEqual(spans);
    expect(read(["0:00.5", ...both], beside).slice(1)).toEqual(spans);
  }
});
