import type { premierepro } from "@adobe/premierepro";
import type { ContactAnswer, ContactTrial } from "../contact.ts";
import { HostError } from "../host-error.ts";
import { clipsOn } from "./answers.ts";
import { calledBy } from "./host-fault.ts";
import { activeSequence, LOOKUPS, openSequence } from "./open-sequence.ts";
import { learntOf, talliesOf } from "./traced-premiere.ts";

/** What is asked of a new Premiere: it only answers, and nothing of the project is touched. */
export function premiereContact(premiere: premierepro): ContactTrial[] {
  return [
    { name: "sequence", run: () => lookups(premiere) },
    { name: "members", run: () => newMembers(premiere) },
  ];
}

/** Which ways lead to the open sequence, and how its tracks answer. The first that does is gone from now on. */
async function lookups(premiere: premierepro): Promise<ContactAnswer> {
  let reference: Awaited<ReturnType<typeof activeSequence>>;
  try {
    reference = await activeSequence(premiere);
  } catch (error) {
    if (error instanceof HostError) return { outcome: "open", seen: "no sequence is open" };
    throw error;
  }
  try {
    const { sequence } = await openSequence(premiere, reference);
    const tracks = await sequence.getVideoTrackCount();
    if (tracks > 0) await clipsOn(premiere, await sequence.getVideoTrack(0));
  } catch (error) {
    const tried = error instanceof HostError ? error.tried.join("; ") : calledBy(error);
    return { outcome: "differs", seen: `no way leads to the open sequence: ${tried}` };
  }
  const way = learntOf(premiere).recall("lookup") ?? LOOKUPS[0];
  const late = [...talliesOf(premiere)].flatMap(([member, { promised }]) =>
    promised > 0 && SYNCHRONOUS.has(member) ? [member] : [],
  );
  const isUsual = way === LOOKUPS[0] && late.length === 0;
  const seen = [`by Project.${way}`, ...(late.length === 0 ? [] : [`answered later: ${late.join(", ")}`])];
  return { outcome: isUsual ? "usual" : "differs", seen: seen.join("; ") };
}

/** Members that the declarations call synchronous, of those that reading a sequence asks. */
const SYNCHRONOUS = new Set([
  "Project.getProject",
  "Project.getSequence",
  "Project.guid",
  "Sequence.guid",
  "Sequence.name",
  "VideoTrack.getTrackItems",
  "AudioTrack.getTrackItems",
]);

/** Members that came after 25.6, each with what is done without it. */
async function newMembers(premiere: premierepro): Promise<ContactAnswer> {
  const owner = (name: "ProjectConverter" | "SourceMonitor" | "Transcript" | "EncoderManager") =>
    name in premiere ? premiere[name] : {};
  const manager = "EncoderManager" in premiere ? await premiere.EncoderManager.getManager() : {};
  const missing = [
    ["ProjectConverter.exportAsOpenTimelineIO", "exportAsOpenTimelineIO" in owner("ProjectConverter")],
    ["ProjectConverter.exportAAF", "exportAAF" in owner("ProjectConverter")],
    ["SourceMonitor.setPosition", "setPosition" in owner("SourceMonitor")],
    ["Transcript.hasTranscript", "hasTranscript" in owner("Transcript")],
    ["EncoderManager.startBatchEncode", "startBatchEncode" in manager],
  ].flatMap(([member, isThere]) => (isThere === true ? [] : [member]));
  return missing.length === 0
    ? { outcome: "usual", seen: "all there" }
    : { outcome: "differs", seen: `without ${missing.join(", ")}` };
}
