import { describe, expect, test } from "vitest";
import type { ShownModels } from "../../../panel/state/models-here.ts";
import { modelsView } from "../../../panel/views/models-view.ts";
import { words } from "../../../panel/words/words.ts";
import type { ModelDownload, ModelHere, ModelsReply } from "../../../src/contract/models.ts";
import { elementOf, outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const HERE = "http://127.0.0.1:8420";
const LICENCE = { name: "Apache 2.0", url: "https://apache.example", has_terms: false };
const model = (id: string, change: Partial<ModelHere> = {}): ModelHere => ({
  id,
  kind: "eyes",
  title: `Model ${id}`,
  keeper: "aside",
  licence: LICENCE,
  languages: [],
  voices: 0,
  bytes: 3e9,
  state: "absent",
  suits: "yes",
  remark: "",
  is_recommended: false,
  seconds_per_minute: null,
  samples: null,
  addresses: [],
  ...change,
});
const download = (change: Partial<ModelDownload> = {}): ModelDownload => ({
  model: "b",
  state: "running",
  completed_bytes: 1.5e9,
  total_bytes: 3e9,
  bytes_per_second: 14e6,
  seconds_left: 107,
  message: "",
  ...change,
});

function shown(
  change: Partial<ModelsReply> = {},
  question: ShownModels["question"] = null,
  address = HERE,
  sending?: ShownModels["sending"],
) {
  const reply = {
    models: [model("a"), model("b"), model("c")],
    download: null,
    free_bytes: 82e9,
    computer: "Apple M1, 8 GB.",
    refused: null,
    ...change,
  };
  const page = viewPage({ modelsHere: { address, reply, question, ...(sending && { sending }) } as never });
  return { ...page, draw: () => modelsView(page.session.state, page.actions) };
}
const rowsOf = (page: ReturnType<typeof shown>) => {
  const lines = outlineOf(page.draw());
  return lines.slice(lines.findIndex((line) => line.startsWith("list"))).map((line) => line.trimStart());
};

test("models stand by what they are for, each with size, licence, merits and what can be done with it", () => {
  const models = [
    model("voice", {
      kind: "voice",
      languages: ["en", "de", "fr"],
      voices: 10,
      licence: { ...LICENCE, has_terms: true },
    }),
    model("eyes", { is_recommended: true, seconds_per_minute: 20.2, remark: "Sees well." }),
    model("one", { kind: "voice", languages: ["en", "de"], voices: 1, bytes: 0, licence: null }),
    model("ears", { kind: "ears", keeper: "ollama" }),
    model("large", { suits: "no", remark: "Too large." }),
  ];
  expect(outlineOf(shown({ models, refused: "Nothing may leave." }).draw())).toEqual([
    `button “${words.views.connect}” #leave-models`,
    `heading “${words.views.models}” level=2`,
    words.diskFree({ size: "82 GB" }),
    "Apple M1, 8 GB.",
    "⚠ Nothing may leave.",
    `heading “${words.modelKinds.eyes.name} · ${words.modelKinds.eyes.what}” level=3`,
    `list “${words.modelKinds.eyes.name}: ${words.modelKinds.eyes.what}”`,
    "  listitem",
    `    Model eyes · 3.0 GB · Apache 2.0 Recommended · ${words.secondsForMinute({ seconds: 21 })} · Sees well.`,
    `    button “${words.getIt}: Model eyes, 3.0 GB” #get-eyes disabled : ${words.getIt}`,
    "  listitem : Model large · 3.0 GB · Apache 2.0 Too large.",
    `heading “${words.modelKinds.ears.name} · ${words.modelKinds.ears.what}” level=3`,
    `list “${words.modelKinds.ears.name}: ${words.modelKinds.ears.what}”`,
    "  listitem",
    `    Model ears · 3.0 GB · Apache 2.0 · ${words.fromOllama}`,
    `    button “${words.getIt}: Model ears, 3.0 GB” #get-ears disabled : ${words.getIt}`,
    `heading “${words.modelKinds.voice.name} · ${words.modelKinds.voice.what}” level=3`,
    `list “${words.modelKinds.voice.name}: ${words.modelKinds.voice.what}”`,
    "  listitem",
    `    Model voice · 3.0 GB · Apache 2.0 3 languages · ${words.voiceCount.many({ count: 10 })} · ${words.hasTerms}`,
    `    button “${words.getIt}: Model voice, 3.0 GB” #get-voice disabled : ${words.getIt}`,
    "  listitem",
    `    Model one · English, German · ${words.voiceCount.one}`,
    `    button “${words.getIt}: Model one, 1 MB” #get-one disabled : ${words.getIt}`,
  ]);
});

test("the way back stands above, and nothing but that where the service says nothing, or it was another one", async () => {
  const page = shown({}, null, "http://other");
  expect(outlineOf(page.draw())).toEqual([
    `button “${words.views.connect}” #leave-models`,
    `heading “${words.views.models}” level=2`,
    words.modelsUnknown,
  ]);
  const none = viewPage();
  expect(outlineOf(modelsView(none.session.state, none.actions))).toEqual(outlineOf(page.draw()));
  expect(await usesOf(page, page.draw())).toEqual({
    "leave-models": ['panelController.go("connect")'],
  });
});

describe("what can be done with a model", () => {
  const STATES: readonly (readonly [string, Partial<ModelHere>, Partial<ModelsReply>])[] = [
    ["is not there", {}, {}],
    ["has arrived in part", { state: "partial" }, {}],
    ["is there", { state: "installed" }, {}],
    ["is a voice that is there", { state: "installed", kind: "voice", languages: ["en", "de"] }, {}],
    ["is Ollama's", { state: "installed", keeper: "ollama" }, {}],
    ["is damaged", { state: "damaged" }, {}],
    ["is too large for this computer", { suits: "no" }, {}],
    ["is fetched", {}, { download: download() }],
    ["is checked", { state: "installed" }, { download: download({ state: "checking" }) }],
    ["could not be fetched", {}, { download: download({ state: "failed", message: "The disk is full." }) }],
    [
      "could not be fetched whole",
      { state: "partial" },
      { download: download({ state: "failed", message: "The line broke." }) },
    ],
    [
      "was found to be damaged",
      { state: "damaged" },
      { download: download({ state: "failed", message: "It is damaged." }) },
    ],
    ["waits for another one", {}, { download: download({ model: "c" }) }],
    ["may not be fetched", {}, { refused: "Nothing may leave." }],
  ];

  test("depends on how it stands, and on what else is under way", async () => {
    const rows: Record<string, readonly string[]> = {};
    const uses: Record<string, readonly string[]> = {};
    for (const [name, change, reply] of STATES) {
      const page = shown({ models: [model("b", change)], ...reply });
      rows[name] = rowsOf(page).slice(1);
      uses[name] = Object.values(await usesOf(page, page.draw()))
        .flat()
        .slice(1);
    }
    expect(rows).toEqual({
      "is not there": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.getIt}: Model b, 3.0 GB” #get-b : ${words.getIt}`,
      ],
      "has arrived in part": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.continueIt}: Model b, 3.0 GB” #get-b : ${words.continueIt}`,
        `button “${words.removeModel({ model: "Model b" })}” #remove-b`,
      ],
      "is there": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `✓ ${words.modelInstalled}`,
        `button “${words.checkModelLong({ model: "Model b" })}” #check-b : ${words.checkModel}`,
        `button “${words.removeModel({ model: "Model b" })}” #remove-b`,
      ],
      "is a voice that is there": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0 English, German",
        `button “${words.hearVoice({ voice: "Model b" })}” #hear-b`,
        `✓ ${words.modelInstalled}`,
        `button “${words.checkModelLong({ model: "Model b" })}” #check-b : ${words.checkModel}`,
        `button “${words.removeModel({ model: "Model b" })}” #remove-b`,
      ],
      "is Ollama's": [`listitem : Model b · 3.0 GB · Apache 2.0 · ${words.fromOllama} ✓ ${words.modelInstalled}`],
      "is damaged": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.getAgain}: Model b, 3.0 GB” #get-b : ${words.getAgain}`,
        `button “${words.removeModel({ model: "Model b" })}” #remove-b`,
        `⚠ ${words.modelDamaged}`,
      ],
      "is too large for this computer": ["listitem : Model b · 3.0 GB · Apache 2.0"],
      "is fetched": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.pauseModel({ model: "Model b" })}” #pause-b`,
        "progressbar “Model b” valuenow=50",
        "1.5 GB of 3.0 GB · 14 MB/s · About 2 minutes left",
      ],
      "is checked": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.stopCheck({ model: "Model b" })}” #pause-b`,
        "progressbar “Model b” valuenow=50",
        words.modelSteps.checking,
      ],
      "could not be fetched": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.tryAgain}: Model b, 3.0 GB” #get-b : ${words.tryAgain}`,
        "✕ The disk is full.",
      ],
      "could not be fetched whole": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.tryAgain}: Model b, 3.0 GB” #get-b : ${words.tryAgain}`,
        `button “${words.removeModel({ model: "Model b" })}” #remove-b`,
        "✕ The line broke.",
      ],
      "was found to be damaged": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.getAgain}: Model b, 3.0 GB” #get-b : ${words.getAgain}`,
        `button “${words.removeModel({ model: "Model b" })}” #remove-b`,
        "✕ It is damaged.",
      ],
      "waits for another one": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.getIt}: Model b, 3.0 GB” #get-b disabled : ${words.getIt}`,
      ],
      "may not be fetched": [
        "listitem",
        "Model b · 3.0 GB · Apache 2.0",
        `button “${words.getIt}: Model b, 3.0 GB” #get-b disabled : ${words.getIt}`,
      ],
    });
    expect(uses).toEqual({
      "is not there": ['modelsController.fetch("b")'],
      "has arrived in part": ['modelsController.fetch("b")', 'modelsController.ask({"model":"b","about":"remove"})'],
      "is there": ['modelsController.check("b")', 'modelsController.ask({"model":"b","about":"remove"})'],
      "is a voice that is there": [
        'settingsController.hearModel("b", ["en","de"])',
        'modelsController.check("b")',
        'modelsController.ask({"model":"b","about":"remove"})',
      ],
      "is Ollama's": [],
      "is damaged": ['modelsController.fetch("b")', 'modelsController.ask({"model":"b","about":"remove"})'],
      "is too large for this computer": [],
      "is fetched": ["modelsController.pause()"],
      "is checked": ["modelsController.pause()"],
      "could not be fetched": ['modelsController.fetch("b")'],
      "could not be fetched whole": [
        'modelsController.fetch("b")',
        'modelsController.ask({"model":"b","about":"remove"})',
      ],
      "was found to be damaged": [
        'modelsController.fetch("b")',
        'modelsController.ask({"model":"b","about":"remove"})',
      ],
      "waits for another one": [],
      "may not be fetched": [],
    });
  });
});

test("a download shows how far it is, as far as anybody knows", () => {
  const DOWNLOADS: Readonly<Record<string, Partial<ModelDownload>>> = {
    "that runs": {},
    "that begins, and nobody knows how fast": { completed_bytes: 0, bytes_per_second: null, seconds_left: null },
    "of no known size": { total_bytes: 0 },
    "that is larger than it was said to be": { completed_bytes: 4e9 },
    "that is checked": { state: "checking" },
    "that is unpacked": { state: "unpacking" },
  };
  const linesOf = (change: Partial<ModelDownload>) => {
    const lines = rowsOf(shown({ download: download(change) }));
    const at = lines.findIndex((line) => line.startsWith("progressbar"));
    return lines.slice(at, at + 2);
  };
  const shownOf = Object.fromEntries(Object.entries(DOWNLOADS).map(([name, change]) => [name, linesOf(change)]));
  expect(shownOf).toEqual({
    "that runs": ["progressbar “Model b” valuenow=50", "1.5 GB of 3.0 GB · 14 MB/s · About 2 minutes left"],
    "that begins, and nobody knows how fast": ["progressbar “Model b” valuenow=0", "1 MB of 3.0 GB"],
    "of no known size": ["progressbar “Model b” valuenow=0", "1.5 GB · 14 MB/s · About 2 minutes left"],
    "that is larger than it was said to be": [
      "progressbar “Model b” valuenow=100",
      "4.0 GB · 14 MB/s · About 2 minutes left",
    ],
    "that is checked": ["progressbar “Model b” valuenow=50", words.modelSteps.checking],
    "that is unpacked": ["progressbar “Model b” valuenow=50", words.modelSteps.unpacking],
  });
});

describe("before a model is fetched or removed", () => {
  const licence = { ...LICENCE, has_terms: true };
  test("its terms are agreed to, where it has some; another one's are not asked about", async () => {
    const page = shown({ models: [model("a"), model("b", { licence })] });
    expect((await usesOf(page, page.draw()))["get-b"]).toEqual(['modelsController.ask({"model":"b","about":"terms"})']);
    const asked = shown({ models: [model("a"), model("b", { licence })] }, { model: "b", about: "terms" });
    const lines = rowsOf(asked);
    expect(lines.slice(lines.findIndex((line) => line.startsWith("group")))).toEqual([
      `group “${words.termsOf({ model: "Model b", licence: "Apache 2.0", url: "https://apache.example" })}”`,
      words.termsOf({ model: "Model b", licence: "Apache 2.0", url: "https://apache.example" }),
      `button “${words.agreeAndGet}” #agree-b`,
      `button “${words.leaveIt}” #leave-b takesFocus`,
    ]);
    const { "agree-b": agree, "leave-b": leave } = await usesOf(asked, asked.draw());
    expect({ agree, leave }).toEqual({
      agree: ["modelsController.ask(null)", 'modelsController.fetch("b")'],
      leave: ["modelsController.ask(null)"],
    });
    // Once they are agreed to, going on asks nothing.
    const partial = shown({ models: [model("b", { licence, state: "partial" })] });
    expect((await usesOf(partial, partial.draw()))["get-b"]).toEqual(['modelsController.fetch("b")']);
  });

  test("its removal is asked about, with what that frees; the focus goes back to what asked", async () => {
    const page = shown({ models: [model("a"), model("b", { state: "installed" })] }, { model: "b", about: "remove" });
    const lines = rowsOf(page);
    expect(lines.slice(lines.findIndex((line) => line.startsWith("group")))).toEqual([
      `group “${words.removeAsk({ model: "Model b", size: "3.0 GB" })}”`,
      words.removeAsk({ model: "Model b", size: "3.0 GB" }),
      `button “${words.removeIt}” #sure-b`,
      `button “${words.leaveIt}” #leave-b takesFocus`,
    ]);
    const { "sure-b": sure, "leave-b": leave } = await usesOf(page, page.draw());
    expect({ sure, leave }).toEqual({
      sure: ["modelsController.ask(null)", 'modelsController.remove("b")'],
      leave: ["modelsController.ask(null)"],
    });
    expect(JSON.stringify(page.draw())).toContain('"refuge":"remove-b"');
    expect(JSON.stringify(page.draw())).toContain('"refuge":"get-a"');
    expect(elementOf(page.draw(), "leave-b").properties["takesFocus"]).toBe(true);
    expect(JSON.stringify(page.draw())).not.toContain(words.agreeAndGet);
  });
});

describe("on a computer without internet", () => {
  const licence = { ...LICENCE, has_terms: true };
  const models = [
    model("whole", { state: "installed" }),
    model("eyes", { addresses: ["https://hub.example/engine.tar.gz", "https://hub.example/a/eyes%20one.gguf?x=1"] }),
    model("of-ollama", { keeper: "ollama", addresses: ["https://hub.example/x"] }),
    model("large", { suits: "no", addresses: ["https://hub.example/large.gguf"] }),
    model("voice", { kind: "voice", addresses: ["https://hub.example/voice.tar.bz2"], licence }),
  ];
  const page = (files: readonly string[] | null, more: { model?: string; sending?: ShownModels["sending"] } = {}) => {
    const picked = files?.map((name) => ({ name, path: `/stick/${name}` }));
    const question =
      picked === undefined ? null : ({ model: more.model ?? "eyes", about: "files", files: picked } as const);
    return shown({ models, refused: "Nothing may leave." }, question, HERE, more.sending);
  };
  const partOf = (one: ReturnType<typeof page>) => {
    const lines = outlineOf(one.draw()).map((line) => line.trimStart());
    return lines.slice(lines.findIndex((line) => line.startsWith(`group “${words.fromFilesHeading}”`)));
  };

  test("what can be installed from files may be, whatever may be fetched: first the first that is not there", async () => {
    const one = page(null);
    expect(outlineOf(one.draw()).at(-1)?.trimStart()).toBe(`button “${words.fromFiles}” #open-files`);
    expect((await usesOf(one, one.draw()))["open-files"]).toEqual(['modelsController.askForFiles("eyes")']);
    expect(outlineOf(shown({ models: models.slice(0, 1) }).draw()).join()).not.toContain("#open-files");
  });

  test("the addresses of all files stand there to be copied, and each that is picked counts by its name", async () => {
    const none = page([]);
    expect(partOf(none)).toEqual([
      `group “${words.fromFilesHeading}”`,
      `heading “${words.fromFilesHeading}” level=3`,
      `combobox “${words.filesOf}” #files-of = eyes`,
      words.bringThese,
      `list “${words.filesToBring}”`,
      `listitem : ${words.fileToBring({ name: "engine.tar.gz", host: "hub.example" })}`,
      `listitem : ${words.fileToBring({ name: "eyes one.gguf", host: "hub.example" })}`,
      `button “${words.installFiles}” #install-files disabled`,
      `button “${words.addFiles}” #add-files takesFocus`,
      `button “${words.copyAddresses}” #copy-addresses`,
      `button “${words.leaveIt}” #leave-files`,
    ]);
    const some = partOf(page(["eyes one.gguf", "read.me"]));
    expect(some.slice(5, 10)).toEqual([
      `listitem : ${words.fileToBring({ name: "engine.tar.gz", host: "hub.example" })}`,
      `listitem : ✓ ${words.filePicked({ name: "eyes one.gguf" })}`,
      `listitem : ✓ ${words.filePicked({ name: "read.me" })}`,
      words.filesMissing({ count: 1 }),
      `button “${words.installFiles}” #install-files disabled`,
    ]);
    const { "files-of": other, ...rest } = await usesOf(none, none.draw());
    expect([other, rest["add-files"], rest["copy-addresses"], rest["leave-files"], rest["install-files"]]).toEqual([
      ['modelsController.askForFiles("typed")'],
      ["modelsController.pickFiles()"],
      [`panelController.copy(${JSON.stringify(models[1]?.addresses.join("\n"))})`],
      ["modelsController.ask(null)"],
      undefined,
    ]);
  });

  test.each([
    ["all files", ["engine.tar.gz", "eyes one.gguf"]],
    ["an archive of them", ["Brought.ZIP"]],
    ["an archive beside some of them", ["engine.tar.gz", "rest.tgz"]],
  ])("%s can be installed", async (_, names) => {
    const one = page(names);
    expect(partOf(one)).toContain(words.filesComplete);
    expect((await usesOf(one, one.draw()))["install-files"]).toEqual(["modelsController.installFromFiles()"]);
  });

  test("terms of use are told there too", () => {
    const terms = { model: "Model voice", licence: "Apache 2.0", url: "https://apache.example" };
    expect(partOf(page([], { model: "voice" }))).toContain(words.termsOf(terms));
    expect(partOf(page([])).join()).not.toContain(words.termsOf(terms).slice(-20));
  });

  test("while they are read, that is shown with a way to stop it, and nothing else can be ordered", async () => {
    const one = shown({ models }, null, HERE, { model: "eyes", share: 0.254 });
    const lines = outlineOf(one.draw()).map((line) => line.trimStart());
    expect(lines.slice(-3)).toEqual([
      `Model eyes: ${words.sendingFiles}`,
      "progressbar “Model eyes” valuenow=25",
      `button “${words.stopSending({ model: "Model eyes" })}” #stop-files takesFocus : ${words.cancel}`,
    ]);
    expect(elementOf(one.draw(), "get-eyes").properties["disabled"]).toBe(true);
    expect((await usesOf(one, one.draw()))["stop-files"]).toEqual(["modelsController.pause()"]);
  });
});

test("before a voice is there, its makers' samples are opened where a page can be; of one that is there nothing leads away", async () => {
  const samples = "https://makers.example/samples";
  const opened: string[] = [];
  const openAddress = async (address: string) => opened.push(address) > 0;
  const voice = (change: Partial<ModelHere>) => [model("v", { kind: "voice", samples, ...change })];
  const reply = (models: ModelHere[]) => ({ models, download: null, free_bytes: 1e9, computer: "", refused: null });
  const drawn = (models: ModelHere[], members: object) => {
    const page = viewPage({ modelsHere: { address: HERE, reply: reply(models), question: null } as never }, members);
    return { ...page, draw: () => modelsView(page.session.state, page.actions) };
  };
  const there = drawn(voice({}), { openAddress });
  expect(outlineOf(there.draw()).join("\n")).toContain(`button “${words.samplesOf({ model: "Model v" })}” #samples-v`);
  await usesOf(there, there.draw());
  expect(opened).toEqual([samples]);
  for (const [models, members] of [
    [voice({}), {}],
    [voice({ samples: null }), { openAddress }],
    [voice({ state: "installed" }), { openAddress }],
  ] as const)
    expect(outlineOf(drawn(models, members).draw()).join("\n")).not.toContain("#samples-");
});
