/** How the node answers: always HTTP 200, and an `Error` text when something is wrong, as java-tron does. */
import { parseAddress, type TronAddress, tryAddressFromHex } from '@aval/tron'
import { z } from 'zod'
import { writeJson } from '../chain/json.ts'
import { type Sight, type View, viewed } from '../chain/sight.ts'
import type { Silence } from '../node/faults.ts'
import type { ChainNode } from '../node/node.ts'

/** A question to a node: its fields from the query string and the body, and what the node sees as it is asked. */
export interface Question {
  readonly fields: Readonly<Record<string, unknown>>
  readonly visible: boolean
  readonly view: View
  readonly node: ChainNode
  readonly sight: Sight
}

/** Answers a question with a JSON text. */
export type Answer = (question: Question) => string | Promise<string>

/** A question that the node leaves without an answer. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly silence: Silence

  constructor(silence: Silence) {
    super('no answer')
    this.silence = silence
  }
}

/** A key of the state that a question is about. */
export function readState({ sight, view }: Question, key: string): string | null {
  return sight.stateAfter(viewed(sight, view).number)(key)
}

/** A question that java-tron answers with `{"Error": "class … : …"}`. */
export class NodeComplaint extends Error {
  override readonly name = 'NodeComplaint'
  readonly javaClass: string

  constructor(javaClass: string, detail: string) {
    super(detail)
    this.javaClass = javaClass
  }
}

/** The `Error` answer for anything thrown while answering. */
export function complaintJson(error: unknown): string {
  if (error instanceof NodeComplaint)
    return writeJson({ Error: `class ${error.javaClass} : ${error.message}` })
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    const place = issue?.path.join('.') ?? ''
    return writeJson({
      Error: `class java.lang.IllegalArgumentException : ${place} ${issue?.message ?? ''}`.trim(),
    })
  }
  return writeJson({ Error: 'class java.lang.NullPointerException : null' })
}

/** A whole number, sent as a number or, in a query string, as digits. */
export const wholeNumber = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])

export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

/** An identifier of a block or transaction: 64 hex characters, any case, with or without 0x. */
export const hashText = z
  .string()
  .max(66)
  .transform((text) => text.toLowerCase().replace(/^0x/, ''))

/** Lower-case hex of any length, without 0x. */
export const hexField = z
  .string()
  .transform((text) => text.toLowerCase().replace(/^0x/, ''))
  .refine((text) => /^(?:[0-9a-f]{2})*$/.test(text), 'INVALID hex String')

/** An address field: base58 when the question is visible, hex otherwise. */
export function addressField(question: Question, name: string): TronAddress {
  const value = question.fields[name]
  if (typeof value !== 'string' || value === '') {
    throw new NodeComplaint('java.security.InvalidParameterException', `${name} isn't set.`)
  }
  const address = question.visible ? parseAddress(value) : tryAddressFromHex(value.length >= 42 ? value : '')
  if (address === null) {
    throw new NodeComplaint(
      'org.tron.core.services.http.JsonFormat$ParseException',
      `INVALID ${name}, ${value.slice(0, 80)}`,
    )
  }
  return address
}
