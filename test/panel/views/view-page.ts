import type { Actions } from "../../../panel/controllers/actions.ts";
import { ReviewController } from "../../../panel/controllers/review/review-controller.ts";
import type { PanelEnvironment } from "../../../panel/session/environment.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { type SessionInMemory, sessionInMemory } from "../session-in-memory.ts";

/** What a view is drawn with, and what it did with it. */
export interface ViewPage extends SessionInMemory {
  readonly actions: Actions;
  /** Everything that was asked of the panel's controllers, in order. */
  readonly did: string[];
  /** What the controllers answer, by `controller.member`: a value, or what makes it; that it is done where nothing is said. */
  readonly answers: Record<string, unknown>;
}

/**
 * The panel's controllers as a view meets them: each notes what it is asked. The review is changed as it is in the panel, so that
 * what a control does to it can be seen.
 *
 * @param state What differs from a panel that was just opened.
 */
export function viewPage(state: Partial<PanelState> = {}, members: Partial<PanelEnvironment> = {}): ViewPage {
  const did: string[] = [];
  const answers: Record<string, unknown> = {};
  const note = (name: string, args: readonly unknown[]) => {
    const given = args.map((one) => (typeof one === "function" ? "…" : JSON.stringify(one)));
    did.push(`${name}(${given.join(", ")})`);
    const answer = answers[name];
    if (typeof answer === "function") return answer(...args);
    return name in answers ? answer : Promise.resolve();
  };
  const editor = new Proxy({ markersPerUndoStep: 50 }, {
    get: (target, name) => Reflect.get(target, name) ?? (async (...args: readonly unknown[]) => note(`editor.${String(name)}`, args)),
  }); // biome-ignore format: one object
  const document = {
    activeElement: null,
    getElementById: (id: string) => ({ focus: () => void did.push(`focus(${id})`) }),
  };
  const environment = {
    editor,
    document,
    keysReachAll: false,
    noTimeline: false,
    contact: undefined,
    showFolder: null,
    openAddress: null,
    startCompanion: null,
    version: "1.0.0",
  };
  const made = sessionInMemory({ ...(environment as unknown as Partial<PanelEnvironment>), ...members });
  const { session } = made;
  session.store.set({ isLoaded: true, ...state });
  session.keepPreferences = () => void did.push("keepPreferences()");
  const reviewing = new ReviewController(session);
  const noted = [
    "open",
    "toggleAccepted",
    "acceptAll",
    "acceptAndGoOn",
    "typing",
    "commit",
    "retime",
    "undo",
    "redo",
    "jump",
    "step",
    "toggleSilent",
  ];
  const reviewController = new Proxy(reviewing, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]) => {
        if (noted.includes(String(name))) return note(`reviewController.${String(name)}`, args);
        return Reflect.apply(member, target, args);
      };
    },
    set: (target, name, value) => Reflect.set(target, name, value),
  });
  const controller = (name: string) =>
    new Proxy({}, {
      get: (_, member) => (...args: readonly unknown[]) => note(`${name}.${String(member)}`, args),
    }); // biome-ignore format: one object
  const own: Record<string, unknown> = { session, tools: null, reviewController };
  const actions = new Proxy(own, {
    get: (target, name) => (name in target ? Reflect.get(target, name) : controller(String(name))),
  });
  return { ...made, actions: actions as unknown as Actions, did, answers };
}
