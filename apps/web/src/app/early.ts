/**
 * Runs before the rest of the app is there, as a small file of its own: on a phone's line the session is renewed, and the
 * first questions are answered, while the libraries and the page are still on their way.
 */
import { askAhead } from '../api/ahead.ts'
import { session, startSession } from '../api/browserSession.ts'
import { callsAtArrival } from './arrival.ts'

// A token that is due is renewed first, as before every call.
if (session.isFresh())
  void session.access().then((access) => askAhead(callsAtArrival(location.pathname), access))

/** Whether the server said who is signed in. */
export const started: Promise<boolean> = startSession()
