import { mkdtemp, rm, stat, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AudioDescriptionError } from "../../core/error.ts";
import { listDescribers } from "../../engine/describe/choose-describer.ts";
import { engine } from "../../engine/index.ts";
import { withoutNetwork } from "../../engine/isolate/cage.ts";
import { modelFault } from "../../engine/models/model-list.ts";
import { placeOf } from "../../engine/models/presets.ts";
import { visionConfiguration } from "../../engine/models/vision-settings.ts";
import { findLanguageData, readingState } from "../../engine/ocr/language-data.ts";
import { TextReader } from "../../engine/ocr/text-reader.ts";
import type { Environment } from "../../engine/outgoing/local-only.ts";
import { voiceCatalogue } from "../../engine/voice/voice-names.ts";
import { openVoice, voiceConfiguration } from "../../engine/voice/voice-settings.ts";
import { frameBytes, type WaveFormat } from "../../formats/wave/wave-format.ts";
import { waveHeader } from "../../formats/wave/write-wave.ts";
import { readConfiguration } from "../configuration.ts";
import { isOpenToOthers } from "../storage/private-file.ts";
import { makeFolder } from "../storage/synced-folder.ts";
import type { Administration } from "./administration.ts";
import { openAdministration, type RecordsOptions } from "./open-administration.ts";

/** How one part of the service is. */
export interface DoctorFinding {
  readonly name: string;
  /** `warning`: it works, but not as somebody may expect. */
  readonly state: "good" | "warning" | "bad";
  /** What was found, and what to do where it is not good. */
  readonly detail: string;
}

/** Room on the disk below which a long programme may not find place, in bytes. */
const LITTLE_ROOM_BYTES = 10_000_000_000;

/** How long one part may take to show that it works. */
const CHECK_TIMEOUT_MS = 20_000;

type CheckOutcome = Omit<DoctorFinding, "name">;

/**
 * Looks at everything the service needs, by using it: configuration, records, storage, disk, FFmpeg, voice, describer and reader of
 * text on screen.
 * Never raises: what fails is a finding.
 */
export async function examineService(options: RecordsOptions, environment: Environment): Promise<DoctorFinding[]> {
  const opening = openAdministration(options);
  // Whichever check comes first says why they do not open.
  opening.catch(() => undefined);
  const checks: Readonly<Record<string, () => Promise<CheckOutcome>>> = {
    configuration: () => examineConfiguration(options),
    records: async () => examineRecords(await opening, options),
    storage: () => examineStorage(options),
    "stored objects": async () => {
      const administration = await opening;
      return examineStoredObjects(administration).finally(() => administration.close());
    },
    privacy: () => examinePrivacy(resolve(options.dataFolder)),
    disk: () => examineDisk(resolve(options.dataFolder)),
    ffmpeg: examineFfmpeg,
    voice: () => examineVoice(environment),
    describer: () => examineDescriber(environment),
    "screen text": () => examineReading(environment),
  };
  const findings: DoctorFinding[] = [];
  // One after the other: each may hold what the next one needs, such as the data folder.
  for (const [name, check] of Object.entries(checks)) {
    findings.push({ name, ...(await check().catch((error: unknown) => bad(sentenceOf(error)))) });
  }
  return findings;
}

async function examineConfiguration({ dataFolder, configurationFile }: RecordsOptions): Promise<CheckOutcome> {
  const { plans, teams } = await readConfiguration(resolve(dataFolder), configurationFile);
  return good(`readable, ${Object.keys(plans).length} plans and ${Object.keys(teams).length} teams of its own`);
}

async function examineRecords(administration: Administration, { databaseUrl }: RecordsOptions): Promise<CheckOutcome> {
  const keys = (await administration.listKeys()).filter(({ revokedAt }) => revokedAt === null);
  const where = databaseUrl === undefined ? "embedded" : "on the server of DATABASE_URL";
  if (keys.length === 0) return warning(`${where}, without a key: make one with "aside keys create"`);
  return good(`${where}, ${keys.length} key${keys.length === 1 ? "" : "s"}`);
}

async function examineStorage({ storage, dataFolder }: RecordsOptions): Promise<CheckOutcome> {
  if (storage === undefined) return good("in the data folder");
  const { parseS3Location, S3ObjectStore } = await import("../storage/s3-object-store.ts");
  const location = parseS3Location(storage);
  const lives = { uploadSeconds: 60, resultSeconds: 60 };
  await new S3ObjectStore(location, lives, join(resolve(dataFolder), "borrowed")).check();
  return good(`bucket "${location.bucket}" is there`);
}

async function examineStoredObjects(administration: Administration): Promise<CheckOutcome> {
  const { objects, bytes } = await administration.countUnknownObjects();
  if (objects === 0) return good("the records know all that the last sweep saw");
  return warning(
    `${objects} (${(bytes / 1e6).toFixed(1)} MB) that the records know nothing of. They are kept for "unknown_object_days", then deleted. If records were lost or replaced by older ones, put the right ones back before`,
  );
}

/** The records' look at the folder came before, and closed it where it could. */
async function examinePrivacy(dataFolder: string): Promise<CheckOutcome> {
  if (!(await isOpenToOthers(dataFolder))) return good("other users of this computer cannot read the data folder");
  return warning(
    "other users of this computer may read the data folder, with media, results and the secret of signed links: " +
      "give the service its own folder, or close this one (chmod 700)",
  );
}

/** The data folder itself may not be there yet; then the folder that it will be made in counts. */
async function examineDisk(dataFolder: string): Promise<CheckOutcome> {
  let folder = dataFolder;
  while (dirname(folder) !== folder && (await stat(folder).catch(() => null)) === null) folder = dirname(folder);
  await makeFolder(folder);
  const probe = await mkdtemp(join(folder, ".aside-doctor-"));
  await rm(probe, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const room = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`;
  return bavail * bsize < LITTLE_ROOM_BYTES ? warning(`${room}: long programmes may not find room`) : good(room);
}

/** Opens a tiny sound file in a child process, as every upload is opened. */
async function examineFfmpeg(): Promise<CheckOutcome> {
  const folder = await mkdtemp(join(tmpdir(), "aside-doctor-"));
  try {
    const path = join(folder, "sound.wav");
    await writeFile(path, tinyWave());
    const { sound } = await engine.probe({ path }, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
    if (sound === null) return bad("it does not recognise a plain sound file: install aside again");
    const isCut = (await withoutNetwork()).length > 0;
    return good(isCut ? "reads media, without a network" : "reads media; this system does not take its network away");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function examineVoice(environment: Environment): Promise<CheckOutcome> {
  const configuration = voiceConfiguration(environment);
  if (configuration.kind === "incomplete") return bad(configuration.reason);
  const voice = await openVoice(configuration, "en-US");
  const [spoken] = voiceCatalogue(voice).filter(({ languages }) => languages.length > 0);
  if (spoken === undefined) return bad(`${voice.name} speaks no language of the interface`);
  const language = spoken.languages[0] ?? "";
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const { samples } = await voice.speak({ text: "One.", language, voice: spoken.name, rate: 1 }, signal);
  return samples.length === 0 ? bad(`${voice.name} gave no sound`) : good(`${voice.name} speaks`);
}

async function examineDescriber(environment: Environment): Promise<CheckOutcome> {
  const configuration = visionConfiguration(environment);
  if (configuration.kind === "incomplete") return bad(configuration.reason);
  if (configuration.kind !== "configured") {
    const found = (await listDescribers(environment)).find(({ name }) => name === "vision");
    if (found?.isAvailable === true) return good(found.detail);
    return warning(
      `no vision model (${found?.detail ?? "none"}); only text on screen is spoken, every other pause is left to write`,
    );
  }
  const { baseUrl, model } = configuration.settings;
  const fault = await modelFault(configuration.settings);
  const where = `${model} ${placeOf(baseUrl)}`;
  return fault === null ? good(where) : bad(`${where}, ${fault}: check ASIDE_VISION_URL, and that its server runs`);
}

/** Opens the engine with the data for English, or for the first language there is. */
async function examineReading(environment: Environment): Promise<CheckOutcome> {
  const { isAvailable, detail } = await readingState(environment);
  if (!isAvailable) return warning(`text on screen is not read (${detail})`);
  const data = (await findLanguageData("en", environment)).slice(0, 1);
  if (data.length === 0) return good(detail);
  const reader = await TextReader.open(data, "en").catch(() => null);
  if (reader === null) return bad("Tesseract's language data is damaged: replace the files in ASIDE_OCR_DATA");
  reader[Symbol.dispose]();
  return good(detail);
}

/** A tenth of a second of silence as WAV: 16 bits, one channel, 8 kHz. */
function tinyWave(): Buffer {
  const format: WaveFormat = { channels: 1, sampleRate: 8_000, encoding: "integer", bits: 16, channelMask: 0 };
  const sampleCount = 800;
  return Buffer.concat([waveHeader({ format, sampleCount }), Buffer.alloc(sampleCount * frameBytes(format))]);
}

function good(detail: string): CheckOutcome {
  return { state: "good", detail };
}

function warning(detail: string): CheckOutcome {
  return { state: "warning", detail };
}

function bad(detail: string): CheckOutcome {
  return { state: "bad", detail };
}

/** Errors of our own say what to do; what others say may hold addresses and keys. */
function sentenceOf(error: unknown): string {
  if (error instanceof AudioDescriptionError) return error.message;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `it does not work here${code}`;
}
