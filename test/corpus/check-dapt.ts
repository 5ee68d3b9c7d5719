import { parseTtml } from "../../src/formats/index.ts";
import { type Check, checked, type FileResult } from "./check.ts";
import { corpusPaths, corpusText } from "./corpus-files.ts";

/**
 * Checks the examples of the DAPT specification. Those that are whole documents read as they are; parts of one are read
 * inside a wrapper, as the specification shows them.
 */
export function checkDapt(): FileResult[] {
  return corpusPaths("dapt/examples").map((path) =>
    checked(path, (check) => {
      const text = whole(corpusText(path));
      const read = parseTtml(text);
      check.holds("takes it for another format", !read.issues.some((issue) => issue.code === "unknown-format"));
      const broken = read.issues.filter((issue) => issue.code === "bad-xml").map((issue) => issue.message);
      check.same("broken", broken, []);
      checkEvents(check, path, read);
    }),
  );
}

/** A part of a document, with its dots for what is left out, as a document of its own. */
function whole(text: string): string {
  const bare = text.replace(/^\s*\.\.\.\s*$/gm, "").replace(/<tt \.\.\./, "<tt");
  if (/<tt[\s>]/.test(bare)) {
    const inBody = bare.includes("<body") ? bare : bare.replace(/<div[\s\S]*<\/div>/, "<body>$&</body>");
    return inBody.includes("</tt>") ? inBody : `${inBody}</tt>`;
  }
  const body = bare.includes("<body")
    ? bare
    : `<body>${/<(?:div|head)[\s>]/.test(bare) ? bare : `<div>${bare}</div>`}</body>`;
  return `<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en">${body}</tt>`;
}

function checkEvents(check: Check, path: string, read: ReturnType<typeof parseTtml>): void {
  const name = path.slice("dapt/examples/".length);
  const times = () => read.cues.map((cue) => [cue.start, cue.end]);
  if (name === "valid_dapt.ttml") {
    check.same(
      "cues",
      read.cues.map((cue) => [cue.start, cue.end, cue.text]),
      [
        [3, 10, "Look at this beautiful valley."],
        [13, 20, "The Old Guard Afghanistan"],
      ],
    );
  }
  if (name === "intro-script-with-gain.xml") {
    check.same(
      "gain",
      read.events.map((event) => event.gain),
      [0.39],
    );
    check.same(
      "text",
      read.cues.map((cue) => cue.text),
      ["The sails billow in the wind."],
    );
  }
  if (name === "non-dapt-div-with-begin-and-lang.xml") {
    check.same(
      "events",
      read.events.map((event) => [event.id, event.start, event.end]),
      [
        ["d1", 60, 70],
        ["d2", 660, 670],
      ],
    );
  }
  if (name === "event-desc-multiple-descType.xml") {
    check.same(
      "notes",
      read.events.map((event) => event.descriptions),
      [
        ["Scene 1", "High"],
        ["Scene 1", "Low"],
      ],
    );
    check.same(
      "languages",
      read.events[0]?.texts.map((one) => one.language),
      ["en", "fr"],
    );
  }
  if (name === "intro-times-and-text.xml")
    check.same("times", times(), [
      [10, 13],
      [18, 20],
    ]);
}
