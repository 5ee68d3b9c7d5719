import type { Environment } from "../environment.ts";
import { isSet } from "../isolate/passed-variables.ts";
import { moveToPlace, placeFault, standsAt, wouldStandAt } from "../storage/data-place.ts";
import { DATA_PLACE } from "./setting-table.ts";
import { SettingsError } from "./settings-error.ts";

/** Where one user's films, results and records are to stand: `places.data`. */
export class PlaceSetting {
  readonly #dataFolder: string | null;
  /** Why the data could not be moved when the service started, without a full stop. */
  #fault: string | null = null;

  /** @param dataFolder The data folder of one user; `null` where whoever starts the service names it. */
  constructor(dataFolder: string | null) {
    this.#dataFolder = dataFolder;
  }

  /**
   * Moves the data to its place, see `moveToPlace`.
   *
   * @param tell Called with what a person is to know: that it moves, that it cannot.
   * @throws ServiceStartError `data_folder_in_use`, `data_folder_unusable`.
   */
  async move(variables: Environment, tell: (sentence: string) => void): Promise<void> {
    if (this.#dataFolder === null) return;
    this.#fault = await moveToPlace(this.#dataFolder, placeIn(variables), tell);
    if (this.#fault !== null) tell(`Films, results and records stay where they are. ${this.#fault}.`);
  }

  /** Whether a place can be set at all. */
  get canChange(): boolean {
    return this.#dataFolder !== null;
  }

  /** @throws SettingsError `setting_of_its_computer`; `setting_refused` where data cannot stand there. */
  async require(variables: Environment): Promise<void> {
    if (this.#dataFolder === null) {
      throw new SettingsError(
        "setting_of_its_computer",
        "The data of this service stands in the folder that it was started with: start it with another one.",
      );
    }
    const fault = await placeFault(this.#dataFolder, placeIn(variables));
    if (fault !== null) throw new SettingsError("setting_refused", `${fault}.`);
  }

  /**
   * Where data stands, and where it is to go: a sentence for people.
   *
   * @param atStart The variables that a service was started with; `null` where none runs in this process.
   * @param dataFolder The folder of the service.
   */
  async state(variables: Environment, atStart: Environment | null, dataFolder: string): Promise<string> {
    const here = await standsAt(this.#dataFolder ?? dataFolder);
    if (this.#dataFolder === null) return `In ${here}, which is named when the service is started.`;
    const wanted = wouldStandAt(this.#dataFolder, placeIn(variables));
    if (wanted === here) return `In ${here}.`;
    const isTried = atStart !== null && placeIn(atStart) === placeIn(variables) && this.#fault !== null;
    return isTried
      ? `In ${here}. It could not be moved: ${this.#fault}.`
      : `In ${here}. It moves to ${wanted} when Aside is started again.`;
  }
}

/** The place that variables name; `null` for the user's own folder. */
function placeIn(variables: Environment): string | null {
  const place = variables[DATA_PLACE];
  return isSet(place) ? place.trim() : null;
}
