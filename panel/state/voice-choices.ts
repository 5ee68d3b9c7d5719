import { LANGUAGES, SUGGESTED_LANGUAGES, VOICES, type VoiceGender } from "../../src/contract/choices.ts";
import type { HeardVoice } from "../../src/contract/service-settings.ts";
import { isLocalAddress } from "../../src/core/ports.ts";
import type { PanelState } from "./panel-state.ts";

/** A voice that can be chosen. */
export interface VoiceChoice {
  /** What an order names it by. */
  readonly voice: string;
  /** What a person knows it by. */
  readonly title: string;
  readonly gender: VoiceGender | null;
  /** `false` for a name that the service may not have. */
  readonly isConfirmed: boolean;
}

/** A language that can be chosen, and what is known of voices for it. */
export interface LanguageChoice {
  readonly code: string;
  /** `unknown`: the service does not say; `unlisted`: it does not even name the language. */
  readonly isSpoken: "yes" | "no" | "unknown" | "unlisted";
}

type Known = Pick<PanelState, "form" | "service" | "serviceSettings" | "shownKey">;

/** The voices that the service in use can be heard with; `null` where it does not say. */
function heardOf({ service, serviceSettings }: Known): readonly HeardVoice[] | null {
  const voices = serviceSettings?.address === service.address ? serviceSettings.settings.voices : [];
  return voices.length === 0 ? null : voices;
}

/**
 * The voices that speak the form's language. Of a service that does not say which it has, the names that are known of its kind;
 * none of one on this computer that does not run.
 */
export function voiceChoices(state: Known): readonly VoiceChoice[] {
  const { language } = state.form.settings;
  const heard = heardOf(state);
  if (heard !== null) {
    const speaking = heard.filter(({ languages }) => languages.includes(language));
    return speaking.map(({ voice, title, gender }) => ({ voice, title, gender, isConfirmed: true }));
  }
  if (state.shownKey === null && isLocalAddress(state.service.address)) return [];
  return VOICES.map(({ name, gender, isConfirmed }) => ({ voice: name, title: name, gender, isConfirmed }));
}

/** Whether the form's voice can be played: the service has it, and tries it for this key. */
export function mayBeHeard(state: Known): boolean {
  const { voice } = state.form.settings;
  const mayTry = state.serviceSettings?.settings.may_change === true && heardOf(state) !== null;
  return mayTry && voiceChoices(state).some((one) => one.voice === voice);
}

/** Every language, those that can be spoken first, as far as that is known; each group in the order of `nameOf`. */
export function languageChoices(state: Known, nameOf: (code: string) => string): readonly LanguageChoice[] {
  const heard = heardOf(state);
  const unlisted = new Set<string>(SUGGESTED_LANGUAGES);
  const isSpoken = (code: string): LanguageChoice["isSpoken"] => {
    if (heard === null) return unlisted.has(code) ? "unlisted" : "unknown";
    return heard.some(({ languages }) => languages.includes(code)) ? "yes" : "no";
  };
  const ranks = { yes: 0, unknown: 0, unlisted: 1, no: 1 };
  return LANGUAGES.map((code) => ({ code, isSpoken: isSpoken(code) })).sort(
    (a, b) => ranks[a.isSpoken] - ranks[b.isSpoken] || (nameOf(a.code) < nameOf(b.code) ? -1 : 1),
  );
}
