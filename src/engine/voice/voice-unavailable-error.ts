import { JobFailure } from "../isolate/job-failure.ts";

/** The selected voice does not speak the requested language. */
export class VoiceUnavailableError extends JobFailure {
  constructor(message: string) {
    super("voice_unavailable", message);
  }
}
