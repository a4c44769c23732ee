/**
 * Where a conversation stands.
 *
 * Terms. *Open*: the member waits, and has since the first message that nobody answered. *Answered*: it is the member's
 * turn, if there is more to say. *Closed*: an operator set it aside; the member's next message opens it again.
 */
import { SUPPORT_PLACEHOLDERS, type SupportPlaceholder, type SupportState } from '@aval/contract'

export interface Standing {
  readonly state: SupportState
  /** Null unless open. */
  readonly waitingSince: Date | null
}

/** The member wrote: one who waited already goes on waiting. */
export function afterQuestion(before: Standing, at: Date): Standing {
  return { state: 'open', waitingSince: before.waitingSince ?? at }
}

/** An operator answered. @param unseenSince when the first message came that the operator had not seen; null for none */
export function afterAnswer(unseenSince: Date | null): Standing {
  return unseenSince === null
    ? { state: 'answered', waitingSince: null }
    : { state: 'open', waitingSince: unseenSince }
}

/** An operator set it aside; null where that would hide a message that the operator had not seen. */
export function afterClosing(unseenSince: Date | null): Standing | null {
  return unseenSince === null ? { state: 'closed', waitingSince: null } : null
}

/** As long as a message may be. */
const LONGEST_QUESTION = 2000

/** What an answer is to, as it is quoted: the messages since the answer before, in order. Null where there are none. */
export function questionOf(texts: readonly string[]): string | null {
  if (texts.length === 0) return null
  const whole = texts.join('\n\n')
  return whole.length <= LONGEST_QUESTION ? whole : `${whole.slice(0, LONGEST_QUESTION - 1).toWellFormed()}…`
}

/** For how long a member had waited when the answer came, in seconds; null where nobody waited. A clock that went back is no wait. */
export function waitedFor(waitingSince: Date | null, at: Date): number | null {
  if (waitingSince === null) return null
  return Math.max(0, Math.floor((at.getTime() - waitingSince.getTime()) / 1000))
}

const PLACEHOLDER = /\{([a-z_]+)\}/gi

const isPlaceholder = (name: string): name is SupportPlaceholder =>
  SUPPORT_PLACEHOLDERS.some((known) => known === name)

/** The first placeholder of a template that nothing stands for; null where all are known. */
export function unknownPlaceholder(text: string): string | null {
  for (const [, name = ''] of text.matchAll(PLACEHOLDER)) if (!isPlaceholder(name)) return name
  return null
}

/** A template as it would be sent. What members typed as their name is put in as it is, and never looked at for placeholders. */
export function fillTemplate(text: string, facts: Readonly<Record<SupportPlaceholder, string>>): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => (isPlaceholder(name) ? facts[name] : whole))
}
