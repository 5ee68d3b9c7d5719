import type { CompoundAction, Guid, Project, ProjectItem, ProjectStatic, Sequence } from "@adobe/premierepro";
import { anyOf, checkArguments, orNull } from "./arguments.ts";
import type { Faults } from "./faults.ts";
import { itemIdentity, type ProjectItems } from "./project-items.ts";
import { type SequenceObjects, sequenceIdentity } from "./sequences.ts";
import { type ClipState, withItem } from "./state.ts";
import { strictObject } from "./strict-object.ts";
import { guid, guidText } from "./time.ts";
import { longPath, plainPath } from "./windows-path.ts";
import type { Stage } from "./world.ts";

/** Whether `importFiles` takes what it is given. */
function takesForm(form: Faults["importForm"], given: readonly unknown[]): boolean {
  const [, , bin] = given;
  const forms: Readonly<Record<Faults["importForm"], boolean>> = {
    any: true,
    "four arguments": given.length === 4 && bin !== null,
    "three arguments": given.length === 3 && bin !== null,
    "without a bin": given.length === 2,
    "null for the bin": given.length === 4 && bin === null,
    "paths alone": given.length === 1,
    none: false,
  };
  return forms[form];
}

const TICKS_PER_SECOND = 254_016_000_000;

/** Makes the project objects. */
export class ProjectObjects {
  readonly #stage: Stage;
  readonly #sequences: SequenceObjects;
  readonly #items: () => ProjectItems;

  constructor(stage: Stage, sequences: SequenceObjects, items: () => ProjectItems) {
    this.#stage = stage;
    this.#sequences = sequences;
    this.#items = items;
  }

  /** `Project` as the module offers it. */
  projectStatic(): ProjectStatic {
    const { machine } = this.#stage;
    const statics = {
      getActiveProject: () =>
        machine.settle(() => {
          const id = machine.activeProjectId;
          // The vendor's types leave out that no project may be open.
          return id === null ? (null as unknown as Project) : this.project(id);
        }),
      getProject: (...given: [Guid]) => {
        checkArguments("Project.getProject", given, { required: ["Guid"] });
        const id = guidText(given[0]);
        // The vendor's types leave out that the project may be closed.
        return machine.hasProject(id) ? this.project(id) : (null as unknown as Project);
      },
    } satisfies Partial<ProjectStatic>;
    // Members that the double does not play raise an error when they are read.
    return strictObject("Project", statics) as unknown as ProjectStatic;
  }

  /** A project by its identity; a new object each time. */
  project(projectId: string): Project {
    const { machine } = this.#stage;
    const state = () => machine.project(projectId);
    const sequenceOrNull = (id: string | null) =>
      id === null || !state().sequences.has(id)
        ? // The vendor's types leave out that a sequence may be missing.
          (null as unknown as Sequence)
        : this.#sequences.sequence(projectId, id);
    const members = {
      getActiveSequence: () => machine.settle(() => sequenceOrNull(state().activeSequenceId)),
      getSequence: (...given: [Guid]) => {
        checkArguments("Project.getSequence", given, { required: ["Guid"] });
        return sequenceOrNull(guidText(given[0]));
      },
      getSequences: () =>
        machine.settle(() => [...state().sequences.keys()].map((id) => this.#sequences.sequence(projectId, id))),
      setActiveSequence: (...given: [Sequence]) => {
        checkArguments("Project.setActiveSequence", given, { required: ["Sequence"] });
        const { sequenceId } = sequenceIdentity(given[0]);
        return machine.settle(() => {
          machine.replace({ ...state(), activeSequenceId: sequenceId });
          return true;
        });
      },
      deleteSequence: (...given: [Sequence]) => {
        checkArguments("Project.deleteSequence", given, { required: ["Sequence"] });
        const { sequenceId } = sequenceIdentity(given[0]);
        return machine.settle(() => this.#delete(projectId, sequenceId));
      },
      getRootItem: () => machine.settle(() => this.#items().folder(projectId, state().rootId)),
      importFiles: (...given: [string[], boolean?, ProjectItem?, boolean?]) => {
        checkArguments("Project.importFiles", given, {
          required: ["string[]"],
          optional: ["boolean", orNull(anyOf("ProjectItem", "FolderItem")), "boolean"],
        });
        if (!takesForm(machine.faults.importForm, given)) return machine.settle(() => false);
        const target = given[2] ?? null;
        return this.#import(projectId, given[0], target === null ? null : itemIdentity(target).itemId);
      },
      lockedAccess: (...given: [() => void]) => machine.lockedAccess(projectId, given[0]),
      executeTransaction: (...given: [(compound: CompoundAction) => void, string?]) => {
        checkArguments("Project.executeTransaction", given, { required: ["function"], optional: ["string"] });
        return machine.executeTransaction(projectId, given[0], given[1] ?? "");
      },
      get guid() {
        return guid(state().id);
      },
      get name() {
        return state().name;
      },
      get path() {
        return machine.faults.platform === "Windows" ? longPath(state().path) : state().path;
      },
    } satisfies Partial<Project>;
    // Members that the double does not play raise an error when they are read.
    return machine.handle("Project", members) as unknown as Project;
  }

  /** Nobody has measured it. The double refuses for the active sequence, and keeps the item where the switch says so. */
  #delete(projectId: string, sequenceId: string): boolean {
    const { machine } = this.#stage;
    const project = machine.project(projectId);
    if (project.activeSequenceId === sequenceId) return false;
    if (machine.faults.deleteSequence === "nothing") return true;
    machine.edit(projectId, "Delete Sequence", (draft) => {
      const sequences = new Map(draft.sequences);
      sequences.delete(sequenceId);
      const items = [...draft.items].filter(([, item]) => item.kind !== "clip" || item.sequenceId !== sequenceId);
      return { ...draft, sequences, items: new Map(items) };
    });
    return true;
  }

  async #import(projectId: string, paths: readonly string[], targetId: string | null): Promise<boolean> {
    const { machine, world, events, constants } = this.#stage;
    for (const path of paths.map(plainPath)) {
      // True is the answer even for what does not exist; nothing is added then.
      const isThereAsFile = await world.exists(path);
      // Captions are an item without media; how they are told is not documented.
      const isCaptions = isThereAsFile && path.endsWith(".srt");
      const none = { durationSeconds: 0, hasVideo: false, hasAudio: false };
      const isRefused = machine.faults.importsFrom === "not below Documents" && /[\\/]Documents[\\/]/.test(path);
      const facts = isRefused ? null : isCaptions ? none : isThereAsFile ? await world.probe(path) : null;
      const isThere = [...machine.project(projectId).items.values()].some(
        (item) => item.kind === "clip" && item.mediaPath === path,
      );
      if (facts === null || (isThere && machine.faults.reimport === "nothing")) continue;
      const clip: ClipState = {
        kind: "clip",
        id: machine.newId("item"),
        name: (path.split(/[\\/]/).at(-1) ?? path).normalize(machine.faults.unicodeForm),
        parentId: targetId ?? machine.project(projectId).rootId,
        mediaPath: isCaptions ? "" : path,
        isOffline: false,
        durationTicks: BigInt(Math.round(facts.durationSeconds * TICKS_PER_SECOND)),
        hasVideo: facts.hasVideo,
        hasAudio: facts.hasAudio,
      };
      void this.#appearsLater(projectId, clip);
    }
    events.send(constants.OperationCompleteEvent.IMPORT_MEDIA_COMPLETE, {
      state: constants.OperationCompleteState.SUCCESS,
    });
    return machine.settle(() => true);
  }

  async #appearsLater(projectId: string, clip: ClipState): Promise<void> {
    const { machine } = this.#stage;
    if (machine.faults.importDelay === Number.POSITIVE_INFINITY) return;
    for (let wait = 0; wait < machine.faults.importDelay; wait++) await machine.settle(() => undefined);
    if (machine.hasProject(projectId)) machine.edit(projectId, "Import", (draft) => withItem(draft, clip));
  }
}
