import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CommandVoice } from "../../../../src/engine/voice/command.ts";
import { findSystemSpeech, withSystemVoice } from "../../../../src/engine/voice/system/system-voices.ts";
import { engineVoice } from "../../../../src/engine/voice/voice-names.ts";
import { voiceConfiguration, voiceFor } from "../../../../src/engine/voice/voice-settings.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const SPEAKING = fileURLToPath(new URL("../../../fakes/speaking-program.ts", import.meta.url));

/** As `say -v '?'` of macOS 26 lists them: names with blanks and brackets, a long one that runs into its locale. */
const SAID = `Albert              en_US    # Hello! My name is Albert.
Anna                de_DE    # Hallo! Ich heiße Anna.
Anna (Premium)      de_DE    # Hallo! Ich heiße Anna.
Eddy (German (Germany)) de_DE    # Hallo! Ich heiße Eddy.
Amélie              fr_CA    # Bonjour! Je m’appelle Amélie.
Daniel              en_GB    # Hello! My name is Daniel.
Samantha            en_US    # Hello! My name is Samantha.
Tingting            zh_CN    # 你好！我叫婷婷。
`;

const SEXES = JSON.stringify([
  ["Albert", "VoiceGenderMale"],
  ["Anna", "VoiceGenderFemale"],
  ["Anna (Premium)", "VoiceGenderFemale"],
  ["Eddy (German (Germany))", "VoiceGenderMale"],
  ["Samantha", "VoiceGenderFemale"],
]);

/** Puts a program where `PATH` leads; it lists, or speaks by the arguments that `speaks` makes of its own. */
async function program(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

const print = (text: string) => `cat <<'END'\n${text}\nEND`;

/** A macOS with `say` and, unless it is `broken`, `osascript`. */
async function mac({ script = print(SEXES) } = {}) {
  const folder = await temporaryFolder();
  const log = join(folder, "asked");
  await program(
    join(folder, "say"),
    // -v NAME -r N -f FILE -o FILE …
    `if [ "$2" = "?" ]; then\n${print(SAID)}\nexit 0\nfi
printf '%s\\n' "$2" >> ${log}; cat "$6" >> ${log}
exec ${process.execPath} ${SPEAKING} --text "$6" --output "$8"`,
  );
  await program(join(folder, "osascript"), script);
  return { environment: { PATH: `${folder}:/usr/bin:/bin` }, log };
}

describe.skipIf(process.platform === "win32")("the voices of a system", () => {
  test("of macOS have their locale and sex, the fetched ones first and those for fun last", async () => {
    const { environment } = await mac();
    const speech = await findSystemSpeech(environment, "darwin");
    expect(speech?.voices.map(({ name, language, gender }) => [name, language, gender])).toEqual([
      ["Anna (Premium)", "de-DE", "female"],
      ["Amélie", "fr-CA", null],
      ["Anna", "de-DE", "female"],
      ["Daniel", "en-GB", null],
      ["Eddy (German (Germany))", "de-DE", "male"],
      ["Samantha", "en-US", "female"],
      ["Tingting", "zh-CN", null],
      ["Albert", "en-US", "male"],
    ]);
  });

  test("are there where nobody tells their sex", async () => {
    const { environment } = await mac({ script: "exit 1" });
    const speech = await findSystemSpeech(environment, "darwin");
    expect(speech?.voices).toHaveLength(8);
    expect(new Set(speech?.voices.map(({ gender }) => gender))).toEqual(new Set([null]));
  });

  test("speak by name, language and sex; a text gives them no orders", async () => {
    const { environment, log } = await mac();
    const variables = await withSystemVoice({ ...environment, ASIDE_VOICE_SYSTEM: "on" }, (given) =>
      findSystemSpeech(given, "darwin"),
    );
    const configuration = voiceConfiguration(variables);
    if (configuration.kind !== "command") throw new Error(configuration.kind);
    const { names } = configuration.settings;
    const spoken = (language: string, voice: string) => engineVoice(names, language, voice, "It");
    // Achernar is a woman's name of the catalogue, Charon a man's.
    expect(spoken("de-DE", "Achernar")).toBe("Anna (Premium)");
    expect(spoken("de-DE", "Charon")).toBe("Eddy (German (Germany))");
    expect(spoken("en-US", "Achernar")).toBe("Samantha");
    expect(spoken("fr-FR", "Achernar")).toBe("Amélie");
    expect(spoken("cmn-CN", "Charon")).toBe("Tingting");
    expect(() => spoken("fi-FI", "Charon")).toThrow(/no voice for fi-FI/);
    const voice = new CommandVoice(configuration.settings);
    const line = await voice.speak({ text: "Halt! [[slnc 9000]]", language: "de-DE", voice: "Charon", rate: 1 });
    expect(line.samples.length).toBeGreaterThan(0);
    expect(await readFile(log, "utf8")).toBe("Eddy (German (Germany))\nHalt! [ [slnc 9000]]\n");
  });

  test("that are named speak for their language, and others for theirs", async () => {
    const { environment } = await mac();
    const named = { ...environment, ASIDE_VOICE_SYSTEM: "Anna, Daniel" };
    const variables = await withSystemVoice(named, (given) => findSystemSpeech(given, "darwin"));
    const configuration = voiceConfiguration(variables);
    if (configuration.kind !== "command") throw new Error(configuration.kind);
    const { names } = configuration.settings;
    for (const voice of ["Achernar", "Charon"]) expect(engineVoice(names, "de-DE", voice, "It")).toBe("Anna");
    expect(engineVoice(names, "en-GB", "Charon", "It")).toBe("Daniel");
    expect(engineVoice(names, "fr-FR", "Charon", "It")).toBe("Amélie");
    const wrong = voiceConfiguration({ ...variables, ASIDE_VOICE_SYSTEM: "Ana" });
    expect(wrong).toMatchObject({ kind: "incomplete", reason: expect.stringContaining('"Ana"') });
  });

  test("of Windows are those of both interfaces, the newer first, whatever letters their names have", async () => {
    const root = await temporaryFolder();
    const listed = [
      { id: "sapi:Microsoft Hedda Desktop", name: "Microsoft Hedda Desktop", language: "de-DE", gender: "Female" },
      { id: "onecore:HKEY\\Speech\\deDE_Stefan", name: "Microsoft Stefan", language: "de-DE", gender: "Male" },
      { id: "onecore:HKEY\\Speech\\frFR_Zoë", name: "Microsoft Zoë", language: "fr-FR", gender: "Female" },
      { id: "sapi:eSpeak", name: "eSpeak", language: "en-GB", gender: "NotSet" },
    ];
    const shell = join(root, "System32", "WindowsPowerShell", "v1.0", "powershell.exe");
    await program(shell, `case "$*" in *-List) ${print(JSON.stringify(listed))}\n;; *) exit 5;; esac`);
    const speech = await findSystemSpeech({ SystemRoot: root }, "win32");
    expect(speech?.voices.map(({ name, gender }) => [name, gender])).toEqual([
      ["Microsoft Stefan", "male"],
      ["Microsoft Zoë", "female"],
      ["Microsoft Hedda Desktop", "female"],
      ["eSpeak", null],
    ]);
    expect(speech?.command[0]).toBe(shell);
    // A single voice is listed without a list.
    await program(shell, print(JSON.stringify(listed[0])));
    expect((await findSystemSpeech({ SystemRoot: root }, "win32"))?.voices).toHaveLength(1);
  });

  test.each([
    ["that ends badly", "exit 1"],
    ["that lists something else", "echo 'Add-Type : not recognised'"],
    ["without a voice", "echo '[]'"],
  ])("are none by a program %s", async (_how, script) => {
    const root = await temporaryFolder();
    await program(join(root, "System32", "WindowsPowerShell", "v1.0", "powershell.exe"), script);
    expect(await findSystemSpeech({ SystemRoot: root }, "win32")).toBeNull();
  });

  test("of Linux are Piper's models with a description, else RHVoice's; a program that only plays is none", async () => {
    const home = await temporaryFolder();
    const environment = { PATH: home, HOME: home };
    await program(join(home, "spd-say"), "exit 0");
    expect(await findSystemSpeech(environment, "linux")).toBeNull();

    const voices = join(home, "rhvoice");
    await mkdir(join(voices, "anna"), { recursive: true });
    await writeFile(join(voices, "anna", "voice.info"), "name=Anna\nlanguage=Russian\ngender=female\n");
    await mkdir(join(voices, "torn"));
    await program(join(home, "RHVoice-test"), "exit 0");
    const rhvoice = await findSystemSpeech({ ...environment, RHVOICE_VOICES: voices }, "linux");
    expect(rhvoice).toMatchObject({ title: "RHVoice", voices: [{ id: "Anna", language: "ru", gender: "female" }] });

    const models = join(home, ".local", "share", "piper", "de", "thorsten");
    await mkdir(models, { recursive: true });
    await writeFile(join(models, "de_DE-thorsten-high.onnx"), "");
    const described = { language: { code: "de_DE" }, audio: { quality: "high", sample_rate: 22_050 } };
    await writeFile(join(models, "de_DE-thorsten-high.onnx.json"), JSON.stringify(described));
    await writeFile(join(models, "nothing-is-known-of-it.onnx"), "");
    await program(join(home, "piper"), "exit 0");
    const piper = await findSystemSpeech({ ...environment, RHVOICE_VOICES: voices }, "linux");
    expect(piper).toMatchObject({
      title: "Piper",
      voices: [{ id: join(models, "de_DE-thorsten-high.onnx"), language: "de-DE" }],
    });
  });

  test("of macOS have Piper's beside them, each spoken by its own program", async () => {
    const { environment } = await mac();
    const home = await temporaryFolder();
    const models = join(home, "Library", "Application Support", "piper");
    await mkdir(models, { recursive: true });
    await writeFile(join(models, "fi_FI-harri-medium.onnx"), "");
    await writeFile(join(models, "fi_FI-harri-medium.onnx.json"), JSON.stringify({ language: { code: "fi_FI" } }));
    const piper = join(home, "piper");
    await program(piper, "exit 0");
    const both = { ...environment, HOME: home, PATH: `${environment["PATH"]}:${home}` };
    const speech = await findSystemSpeech(both, "darwin");
    expect(speech?.title).toBe("macOS and Piper");
    const finnish = speech?.voices.find(({ language }) => language === "fi-FI");
    expect(finnish).toMatchObject({
      name: "fi_FI-harri-medium",
      gender: "male",
      command: expect.arrayContaining([piper, "{voice}"]),
    });
    // What the system was made better with goes first, what it comes with last.
    const order = ["Anna (Premium)", "fi_FI-harri-medium", "Daniel"].map((name) =>
      speech?.voices.findIndex((voice) => voice.name === name),
    );
    expect(order).toEqual([...order].sort((a = 0, b = 0) => a - b));
  });

  test("of macOS and Windows speak with nothing set, in the languages that they have; off leaves the built-in one", async () => {
    const { environment } = await mac();
    const found = async (more: Readonly<Record<string, string>>, platform: NodeJS.Platform = "darwin") =>
      voiceConfiguration(
        await withSystemVoice({ ...environment, ...more }, (given) => findSystemSpeech(given, "darwin"), platform),
      );
    const configuration = await found({});
    expect(voiceFor(configuration, "de-DE")).toMatchObject({ kind: "command" });
    expect(voiceFor(configuration, "fi-FI")).toEqual({ kind: "espeak" });
    expect(voiceFor(await found({}, "win32"), "de-DE")).toMatchObject({ kind: "command" });
    expect(await found({}, "linux")).toEqual({ kind: "espeak" });
    expect(await found({ ASIDE_VOICE_SYSTEM: "off" })).toEqual({ kind: "espeak" });
    expect(await found({ ASIDE_VOICE_URL: "http://127.0.0.1:1/v1", ASIDE_VOICE_MODEL: "m" })).toMatchObject({
      kind: "openai-speech",
    });
  });

  test("that are wanted and not there are said to be", () => {
    expect(voiceConfiguration({ ASIDE_VOICE_SYSTEM: "on" })).toMatchObject({
      kind: "incomplete",
      reason: expect.stringContaining("no program that speaks was found"),
    });
    expect(voiceConfiguration({ ASIDE_VOICE_SYSTEM: "on", ASIDE_VOICE_URL: "http://127.0.0.1:1/v1" })).toMatchObject({
      reason: "ASIDE_VOICE_URL and ASIDE_VOICE_SYSTEM are both set",
    });
  });
});

test("the script for Windows is plain ASCII: PowerShell 5.1 would take other letters for the system's code page", async () => {
  const script = await readFile(new URL("../../../../src/engine/voice/system/speak.ps1", import.meta.url));
  expect(script.every((byte) => byte < 128)).toBe(true);
});
