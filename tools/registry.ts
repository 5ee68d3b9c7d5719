/** Something beside the product that a person runs by its name. */
export interface Tool {
  /** What it is called by: `npm run tool -- NAME`. */
  readonly name: string;
  /** Its file below `tools`; it is loaded when the tool is called, with the rest of the arguments. */
  readonly file: string;
  /** What it does, in one sentence: what `--help` says, unless it has more to say itself. */
  readonly sentence: string;
  /** Whether it answers `--help` itself. */
  readonly hasHelp?: true;
}

/** Every tool, by what it is for. Each file below `tools` is named here or used by one that is. */
export const TOOLS: Readonly<Record<string, readonly Tool[]>> = {
  "Build and package": [
    { name: "notices", file: "build/notices.ts", sentence: "Writes the licences of all that is passed on." },
    { name: "icons", file: "pictures/icons.ts", sentence: "Draws the plugin's icons." },
    {
      name: "writing-systems",
      file: "teach/writing-systems.ts",
      sentence: "Teaches the net that tells writing systems apart, from fonts of this computer (an hour).",
    },
    {
      name: "package:companion",
      file: "companion/package-companion.ts",
      sentence: "Makes the companion that an editor double-clicks.",
    },
    {
      name: "try:companion",
      file: "companion/try-companion.ts",
      sentence: "Tries a companion's archive as a person would on an empty computer (Linux).",
    },
    {
      name: "screenshots",
      file: "pictures/screenshots.ts",
      sentence: "Takes pictures of each view of the panel and of the service's page.",
    },
  ],
  Check: [
    {
      name: "checklist",
      file: "check/checklist.ts",
      sentence: "Tells which rows of the interface are proved by tests.",
    },
    {
      name: "conformance",
      file: "check/conformance/conformance.ts",
      sentence: "Tests any server of the interface by HTTP alone.",
    },
    {
      name: "corpus",
      file: "check/corpus.ts",
      sentence: "Reads every file of the corpora, and tells what is not as expected.",
    },
    {
      name: "dialects",
      file: "check/dialects.ts",
      sentence: "Lays texts of every format, clock, unit and language on known films, and counts what becomes of them.",
    },
    {
      name: "model-sources",
      file: "check/model-sources/model-sources.ts",
      sentence: "Holds the list of models against what their makers publish now (internet).",
    },
    {
      name: "sessions",
      file: "check/sessions.ts",
      sentence: "Plays sessions of random edits on the double of Premiere, or of a review (sessions review).",
    },
    {
      name: "panel-steps",
      file: "check/panel-steps.ts",
      sentence: "Counts the clicks and the stops of Tab that seven tasks take in the panel.",
    },
    {
      name: "feature-film",
      file: "check/feature-film.ts",
      sentence: "Plays a film of two hours on the double of Premiere.",
    },
    {
      name: "host-calls",
      file: "check/host-calls/host-calls.ts",
      sentence: "Writes the page of the calls of Premiere and UXP that the panel makes.",
    },
    {
      name: "host-matrix",
      file: "check/host-calls/host-matrix.ts",
      sentence:
        "Writes how the panel's journeys end in every Premiere that the double can play (a quarter of an hour).",
    },
    {
      name: "mutants",
      file: "check/mutants/mutants.ts",
      hasHelp: true,
      sentence: "Puts small faults into the code, one at a time, and tells which of them no test notices.",
    },
    {
      name: "slips",
      file: "check/mutants/try-slips.ts",
      hasHelp: true,
      sentence:
        "Makes mistakes as tired people do, one at a time, and tells which no test near them notices within seconds.",
    },
  ],
  "Try hard": [
    {
      name: "money-faults",
      file: "try/money-faults.ts",
      sentence: "Lets a hostile model server and random kills at what jobs may cost, then checks the books.",
    },
    {
      name: "faults",
      file: "try/faults.ts",
      sentence: "Kills servers, workers, database and store at random, then checks the books.",
    },
    {
      name: "power-cuts",
      file: "try/power-cuts.ts",
      sentence: "Cuts the power of the service's disk, and starts it on what is left (Linux, root).",
    },
    { name: "fuzz:http", file: "try/fuzz-http.ts", sentence: "Sends bad input to every endpoint of a service." },
    { name: "fuzz:formats", file: "try/fuzz-formats.ts", sentence: "Hands mutated files to every reader." },
    { name: "load", file: "try/load.ts", sentence: "Polls, submits and uploads more than one service is meant for." },
  ],
  Measure: [
    {
      name: "bench",
      file: "bench/job/analysis.ts",
      sentence: "Time and memory of the analysis and of jobs, against a bare decode of the same film.",
    },
    { name: "bench:video-memory", file: "bench/job/video-memory.ts", sentence: "Memory of video jobs." },
    {
      name: "bench:extended",
      file: "bench/job/extended.ts",
      sentence: "What an extended video costs, and whether its picture and sound stay in step.",
    },
    {
      name: "bench:hearing",
      file: "bench/hearing/hearing.ts",
      sentence: "Speech and gaps found in labelled sound, beside other detectors.",
    },
    {
      name: "bench:confidence",
      file: "bench/hearing/confidence.ts",
      sentence: "What the confidence of speech is worth.",
    },
    {
      name: "bench:narration",
      file: "bench/hearing/narration-over-speech.ts",
      sentence: "How much of the narration lies over true speech.",
    },
    {
      name: "bench:key-frames",
      file: "bench/telling/key-frames.ts",
      sentence: "How much of what is seen in films has a key frame.",
    },
    { name: "bench:cuts", file: "bench/cuts.ts", sentence: "Cuts found in films whose cuts are known." },
    {
      name: "bench:telling",
      file: "bench/telling/telling.ts",
      sentence: "What a listener is told of films, with an oracle in place of a model.",
    },
    {
      name: "bench:telling-long",
      file: "bench/telling/telling-long.ts",
      sentence: "Two hours with a slow model, killed in the middle and gone on with.",
    },
    {
      name: "bench:fitting",
      file: "bench/sound/fitting.ts",
      sentence: "Our fitter on descriptions that people wrote and placed.",
    },
    {
      name: "bench:mix",
      file: "bench/sound/mix.ts",
      sentence: "Levels, peaks, lengths and slopes of finished audio jobs.",
    },
    { name: "bench:mix-speed", file: "bench/sound/mix-speed.ts", sentence: "Mixing against a bare decode." },
    {
      name: "bench:revoice",
      file: "bench/sound/revoice.ts",
      sentence: "Changed lines voiced and mixed again: what they cost, and which samples differ.",
    },
    {
      name: "bench:voice-line",
      file: "bench/sound/voice-line.ts",
      sentence: "How long an editor waits for a line that was just edited.",
    },
    {
      name: "bench:natural-voice",
      file: "bench/sound/natural-voice.ts",
      sentence: "What the process of natural voices costs beside the model: first line, next line, memory.",
    },
    {
      name: "bench:formats",
      file: "bench/formats.ts",
      sentence: "Reading captions against the fastest maintained parsers.",
    },
    {
      name: "bench:conform",
      file: "bench/conform.ts",
      sentence: "Where cues go when real timelines are cut anew at random.",
    },
    {
      name: "bench:panel",
      file: "bench/panel.ts",
      sentence: "The panel: size of its script, time to its first view, markers placed, keys typed.",
    },
  ],
};

/** The tool of a name; `null` where there is none. */
export function toolOf(name: string): Tool | null {
  return (
    Object.values(TOOLS)
      .flat()
      .find((tool) => tool.name === name) ?? null
  );
}

/** What is there, by group, for people to read. */
export function toolList(): string {
  const width = Math.max(
    ...Object.values(TOOLS)
      .flat()
      .map(({ name }) => name.length),
  );
  const groups = Object.entries(TOOLS).map(([group, tools]) =>
    [group, ...tools.map(({ name, sentence }) => `  ${name.padEnd(width)}  ${sentence}`)].join("\n"),
  );
  return `npm run tool -- NAME, with what NAME takes behind it.\n\n${groups.join("\n\n")}\n`;
}
