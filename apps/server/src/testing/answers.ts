/** What a test expects of a call's answer, in one line: its status, and its whole body or its refusal's code. */
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> {
    /** The status and, where one is given, exactly this JSON. */
    toAnswer(status: number, body?: unknown): R
    /** The status of a problem document, and its code. */
    toRefuse(status: number, code: string): R
  }
}

const report = (answer: LightMyRequestResponse, pass: boolean, expected: unknown) => ({
  pass,
  message: () =>
    `expected ${JSON.stringify(expected)}, and the answer was ${answer.statusCode} ${answer.body}`,
})

expect.extend({
  toAnswer(answer: LightMyRequestResponse, status: number, ...body: unknown[]) {
    const isRight = answer.statusCode === status
    return report(answer, isRight && (body.length === 0 || this.equals(answer.json(), body[0])), [
      status,
      ...body,
    ])
  },
  toRefuse(answer: LightMyRequestResponse, status: number, code: string) {
    return report(answer, answer.statusCode === status && answer.json().code === code, [status, code])
  },
})
