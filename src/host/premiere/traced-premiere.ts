import type { premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import { Learnt } from "../learnt.ts";

/** How a member of Premiere answered, where it did not answer as its declaration says. */
type AnswerKind = "raised" | "missing" | "misshapen" | "late" | "unanswered";

/** The call behind an error. */
export interface TracedCall {
  /** As the vendor names it: `Project.getSequence`. */
  readonly member: string;
  readonly kind: AnswerKind;
}

/** How often a member was asked, and how it answered. */
export interface MemberTally {
  answered: number;
  raised: number;
  /** Answers that came by a promise. */
  promised: number;
}

/** What tracing works with. */
export interface TraceOptions {
  /** What was learnt of this Premiere before; nothing is kept between sessions without it. */
  readonly learnt?: Learnt;
  /** Longest wait for an answer; none without it. Members that render or read media may take any time. */
  readonly limit?: AnswerLimit;
}

/** How long an answer is waited for. */
interface AnswerLimit {
  readonly clock: Pick<Clock, "sleep">;
  readonly milliseconds: number;
}

/** Members that take as long as their work does. */
const UNLIMITED = /^(?:EncoderManager\.exportSequence|ProjectConverter\.)/;

/** Whose answer decides about a lock, and may be waited for once the lock is over. */
const LOCKS = new Set(["Project.lockedAccess", "Project.executeTransaction"]);

/** Class of what a member gives, where its name does not say it. */
const GIVES: Readonly<Record<string, string>> = {
  getActiveProject: "Project",
  getProject: "Project",
  getActiveSequence: "Sequence",
  getSequence: "Sequence",
  getSequences: "Sequence",
  getRootItem: "FolderItem",
  getItems: "ProjectItem",
  getProjectItem: "ProjectItem",
  getVideoTrack: "VideoTrack",
  getAudioTrack: "AudioTrack",
  getManager: "EncoderManager",
  getEditor: "SequenceEditor",
  getSelection: "TrackItemSelection",
  createEmptySelection: "TrackItemSelection",
  executeTransaction: "CompoundAction",
  getProperties: "Properties",
  getComponentChain: "AudioComponentChain",
  getComponentAtIndex: "Component",
  getParam: "ComponentParam",
  createKeyframe: "Keyframe",
  getKeyframePtr: "Keyframe",
  fromString: "Guid",
  guid: "Guid",
  createWithTicks: "TickTime",
  getKeyframeListAsTickTimes: "TickTime",
  getZeroPoint: "TickTime",
  getInPoint: "TickTime",
  getOutPoint: "TickTime",
  getEndTime: "TickTime",
  getStartTime: "TickTime",
  getStart: "TickTime",
  getDuration: "TickTime",
  getPlayerPosition: "TickTime",
  getPosition: "TickTime",
  getFrameSize: "RectF",
  getSequenceVideoTimeDisplayFormat: "TimeDisplay",
};

/** Members that give a text or a number: some values come in a box, and one of another kind makes no sense anywhere. */
const TEXTS =
  /\.(?:getName|getComments|getTimebase|getMediaFilePath|getMatchName|getId|name|path|ticks|getValue|exportToJSON)$/;
const NUMBERS = /\.(?:get\w+Count|getColorIndex|getSpeed|width|height)$/;

const CALLS = new WeakMap<object, TracedCall>();
const RAW = new WeakMap<object, object>();
const TRACED = new WeakMap<object, object>();
const TRACES = new WeakMap<object, Trace>();
const LEARNT = new WeakMap<object, Learnt>();
/** Members that answered last, of whichever Premiere, the latest at the end. */
const ANSWERED = new Set<string>();
const MOST_ANSWERED = 4;

const LISTENERS = new WeakMap<object, (...given: unknown[]) => unknown>();

/** Premiere has no member of this name. */
class MissingMember extends Error {}

/** The call that an error came out of; absent for errors that no call of Premiere raised. */
export function callOf(error: unknown): TracedCall | undefined {
  return typeof error === "object" && error !== null ? CALLS.get(error) : undefined;
}

/** What has been learnt of a Premiere. */
export function learntOf(premiere: premierepro): Learnt {
  const known = LEARNT.get(premiere) ?? new Learnt();
  LEARNT.set(premiere, known);
  return known;
}

/** How each member that was asked has answered so far, by name; nothing for a Premiere that is not traced. */
export function talliesOf(premiere: premierepro): ReadonlyMap<string, MemberTally> {
  return TRACES.get(premiere)?.tallies ?? new Map();
}

/** How each member that was asked has answered so far, a line each: answers, errors, and answers by a promise. */
export function callLines(premiere: premierepro): readonly string[] {
  return [...talliesOf(premiere)]
    .map(([member, { answered, raised, promised }]) => `${member} ${answered}/${raised}/${promised}`)
    .sort();
}

/** Members that change something. */
const CHANGING = /\.(?:create\w+Action|executeTransaction|importFiles|deleteSequence|set(?:Mute|ActiveSequence))$/;

/** Begins to note which members are asked to change something. @returns Gives a line with them, and how often; none where none was. */
export function changesAskedFrom(premiere: premierepro): () => readonly string[] {
  const asked = ({ answered, raised }: MemberTally) => answered + raised;
  const before = new Map([...talliesOf(premiere)].map(([member, tally]) => [member, asked(tally)]));
  return () => {
    const since = [...talliesOf(premiere)].flatMap(([member, tally]) => {
      const times = asked(tally) - (before.get(member) ?? 0);
      return times > 0 && CHANGING.test(member) ? [`${member} ${times}×`] : [];
    });
    return since.length === 0 ? [] : [`asked for: ${since.join(", ")}`];
  };
}

/** Members that answered last, the latest first: where an answer makes no sense, it is one of these. */
export function lastAnswered(): readonly string[] {
  return [...ANSWERED].reverse();
}

/**
 * Premiere as it is, with a name for every call: what a call raises, lacks or never answers is known by its member, and what an
 * answer is made of is traced too. An exception of our own code inside a callback comes out as it was thrown. Handles are passed to
 * Premiere as it gave them out. Traced once only: a second time gives the first, with what is given then. A panel that is opened
 * again has another clock.
 */
export function traced(premiere: premierepro, { learnt, limit }: TraceOptions = {}): premierepro {
  // What is traced, this module or an earlier trace of it, is one.
  const known = RAW.has(premiere) ? premiere : (TRACED.get(premiere) as premierepro | undefined);
  const trace = (known === undefined ? undefined : TRACES.get(known)) ?? new Trace();
  const module = known ?? (trace.wrap(premiere, { owner: "", origin: "" }) as premierepro);
  TRACES.set(module, trace);
  if (limit !== undefined) trace.limit = limit;
  if (learnt !== undefined) LEARNT.set(module, learnt);
  return module;
}

/** Where a value came from. */
interface Origin {
  /** Its class; `null` for plain values, which may lack anything. */
  readonly owner: string | null;
  /** The member that gave it. */
  readonly origin: string;
}

class Trace {
  readonly tallies = new Map<string, MemberTally>();
  /** How long answers are waited for; for ever without it. */
  limit: AnswerLimit | undefined;
  /** Callbacks of a lock that run now. */
  #locks = 0;

  /** A value of Premiere's, traced. */
  wrap(value: unknown, place: Origin): unknown {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => this.wrap(one, place));
    const known = TRACED.get(value);
    if (known !== undefined) return known;
    // Not the value itself stands behind the proxy: one that is frozen would have to give its own members.
    const target = typeof value === "function" ? () => undefined : {};
    const made = new Proxy(target, this.#handler(value, place));
    RAW.set(made, value);
    TRACED.set(value, made);
    return made;
  }

  #handler(raw: object, place: Origin): ProxyHandler<object> {
    const { owner } = place;
    const isListed = owner?.startsWith("Constants") === true;
    return {
      get: (_, key) => {
        if (typeof key === "symbol") return undefined;
        if (key === "then" || key === "toJSON") return undefined;
        return this.#read(raw, key, place);
      },
      has: (_, key) => Reflect.has(raw, key),
      set: (_, key, value) => Reflect.set(raw, key, bare(value)),
      // Constants alone may be listed: asking other objects for all they have crashed Premiere.
      ownKeys: () => (isListed ? Reflect.ownKeys(raw) : []),
      getOwnPropertyDescriptor: (_, key) =>
        isListed ? { value: Reflect.get(raw, key), enumerable: true, configurable: true } : undefined,
    };
  }

  #read(raw: object, key: string, { owner, origin }: Origin): unknown {
    const member = owner === "" || owner === null ? key : `${owner}.${key}`;
    const value = this.#asked(member, () => Reflect.get(raw, key));
    if (value === undefined && owner !== null && !Reflect.has(raw, key)) {
      const of = origin === "" || owner === "" ? "" : ` in what ${origin} gave`;
      throw noted(new MissingMember(`there is no ${member}${of}`), { member, kind: "missing" });
    }
    // A class is what members are asked of; whatever else can be called is called on its owner.
    if (typeof value === "function" && owner !== "") return this.#method(raw, value, member);
    if (isThenable(value)) return this.#promised(member, value);
    return this.#given(member, value, ownerOf(owner, key));
  }

  /** What a member gives: out of its box where it comes in one. @throws TypeError for a value of another kind than it should be. */
  #given(member: string, value: unknown, owner: string | null): unknown {
    const made = owner === null ? unboxed(value) : value;
    const kind = TEXTS.test(member) ? "text" : NUMBERS.test(member) ? "number" : null;
    if (kind !== null && typeof made !== (kind === "text" ? "string" : "number")) {
      this.#tally(member).raised += 1;
      throw noted(new TypeError(`${member} answered without a ${kind}`), { member, kind: "misshapen" });
    }
    return this.wrap(made, { owner, origin: member });
  }

  #method(raw: object, method: (...given: unknown[]) => unknown, member: string): (...given: unknown[]) => unknown {
    return (...given) => {
      const inside: { error?: unknown; hasFailed: boolean } = { hasFailed: false };
      const passed = given.map((one) => (isCallback(one) ? this.#callback(one, member, inside) : bare(one)));
      let answer: unknown;
      try {
        answer = this.#asked(member, () => Reflect.apply(method, raw, passed), inside);
      } catch (error) {
        // Whatever Premiere makes of it: it is our own, thrown on the way through.
        throw inside.hasFailed ? inside.error : error;
      }
      if (inside.hasFailed) throw inside.error;
      if (isThenable(answer)) return this.#promised(member, answer);
      return this.#given(member, answer, givenBy(member, answer));
    };
  }

  /** A function of ours as Premiere calls it. The same one each time, so that listeners can be removed. */
  #callback(
    run: (...given: unknown[]) => unknown,
    member: string,
    inside: { error?: unknown; hasFailed: boolean },
  ): (...given: unknown[]) => unknown {
    const isListener = member.startsWith("EventManager.");
    const known = isListener ? LISTENERS.get(run) : undefined;
    if (known !== undefined) return known;
    const called = (...given: unknown[]) => {
      const isLock = LOCKS.has(member);
      this.#locks += isLock ? 1 : 0;
      const owner = isListener ? null : givenBy(member, given[0]);
      try {
        return run(...given.map((one) => this.wrap(one, { owner, origin: member })));
      } catch (error) {
        // Events are hints: an exception that reached Premiere could take it down.
        if (isListener) return undefined;
        inside.error = error;
        inside.hasFailed = true;
        throw error;
      } finally {
        this.#locks -= isLock ? 1 : 0;
      }
    };
    if (isListener) LISTENERS.set(run, called);
    return called;
  }

  /** Notes that a member has answered: it is the last of the set. */
  #answers(member: string): void {
    ANSWERED.delete(member);
    ANSWERED.add(member);
    const [oldest = member] = ANSWERED;
    if (ANSWERED.size > MOST_ANSWERED) ANSWERED.delete(oldest);
  }

  #asked<Answer>(member: string, ask: () => Answer, inside?: { readonly hasFailed: boolean }): Answer {
    try {
      const answer = ask();
      if (inside !== undefined) this.#tally(member).answered += 1;
      this.#answers(member);
      return answer;
    } catch (error) {
      if (inside?.hasFailed === true) throw error;
      this.#tally(member).raised += 1;
      throw noted(error, { member, kind: "raised" });
    }
  }

  /** An answer that comes later. Inside a lock nothing can be waited for. */
  #promised(member: string, answer: PromiseLike<unknown>): Promise<unknown> {
    this.#tally(member).promised += 1;
    if (this.#locks > 0 && !LOCKS.has(member)) {
      void Promise.resolve(answer).catch(() => undefined);
      throw noted(new Error(`${member} answers only after the lock`), { member, kind: "late" });
    }
    const settled = Promise.resolve(answer).then(
      (value) => {
        this.#answers(member);
        return this.#given(member, value, givenBy(member, value));
      },
      (error: unknown) => {
        this.#tally(member).raised += 1;
        throw noted(error, { member, kind: "raised" });
      },
    );
    const given = this.limit === undefined || UNLIMITED.test(member) ? settled : limited(member, settled, this.limit);
    // Whoever waits for it hears of its failure; where nobody does, nobody misses it.
    given.catch(() => undefined);
    return given;
  }

  #tally(member: string): MemberTally {
    const known = this.tallies.get(member) ?? { answered: 0, raised: 0, promised: 0 };
    this.tallies.set(member, known);
    return known;
  }
}

/** Why nobody waits for the limit any more: the same one each time, because one for each call takes longer than the call. */
const CALLED_OFF = new Error("the answer is there");

/** An answer, or an error where it does not come in time. */
async function limited(
  member: string,
  settled: Promise<unknown>,
  { clock, milliseconds }: AnswerLimit,
): Promise<unknown> {
  const over = new AbortController();
  const late = clock.sleep(milliseconds, over.signal).then(() => {
    throw noted(new Error(`${member} did not answer within ${milliseconds / 1000} s`), { member, kind: "unanswered" });
  });
  // Called off as soon as the answer is there.
  late.catch(() => undefined);
  try {
    return await Promise.race([settled, late]);
  } finally {
    over.abort(CALLED_OFF);
  }
}

/** Notes which call an error came out of: the innermost one counts. What is thrown and no error becomes one. */
function noted(error: unknown, call: TracedCall): unknown {
  const raised = typeof error === "object" && error !== null ? error : new Error(String(error));
  if (!CALLS.has(raised)) CALLS.set(raised, call);
  return raised;
}

/** A value out of its box: values were seen to come wrapped, once or twice. */
export function unboxed(value: unknown): unknown {
  let inside = value;
  while (typeof inside === "object" && inside !== null && "value" in inside) ({ value: inside } = inside);
  return inside;
}

/** An argument as Premiere knows it. */
function bare(value: unknown): unknown {
  return typeof value === "object" || typeof value === "function" ? (RAW.get(value ?? {}) ?? value) : value;
}

function isCallback(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === "function" && !RAW.has(value);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** The class of a property's value: one of the module's classes, one of the enumerations, or what it is known to be. */
function ownerOf(owner: string | null, key: string): string | null {
  if (owner === "") return key;
  if (owner === "Constants") return `Constants.${key}`;
  return GIVES[key] ?? null;
}

/** The class of what a call gives. */
function givenBy(member: string, value: unknown): string | null {
  const [owner = "", name = ""] = member.split(".");
  if (name === "cast") return owner;
  if (name === "getMarkers") return Array.isArray(value) ? "Marker" : "Markers";
  if (name === "getTrackItems") return `${owner.replace(/Track$/, "")}ClipTrackItem`;
  if (/^create\w+Action$/.test(name)) return "Action";
  return GIVES[name] ?? null;
}
