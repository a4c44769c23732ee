import { SUPPORT_STATES } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import {
  afterAnswer,
  afterClosing,
  afterQuestion,
  fillTemplate,
  questionOf,
  unknownPlaceholder,
  waitedFor,
} from './support.rules.ts'

const NINE = new Date('2026-05-03T09:00:00Z')
const TEN = new Date('2026-05-03T10:00:00Z')

describe('a conversation', () => {
  it.each(SUPPORT_STATES)('that is %s is open once the member writes', (state) => {
    expect(afterQuestion({ state, waitingSince: null }, TEN)).toEqual({ state: 'open', waitingSince: TEN })
  })

  it('waits since the first message, however many follow', () => {
    expect(afterQuestion({ state: 'open', waitingSince: NINE }, TEN).waitingSince).toBe(NINE)
  })

  it('is answered by an answer to all there is', () => {
    expect(afterAnswer(null)).toEqual({ state: 'answered', waitingSince: null })
  })

  it('goes on waiting for what came while the answer was written', () => {
    expect(afterAnswer(TEN)).toEqual({ state: 'open', waitingSince: TEN })
  })

  it('is closed only by somebody who has read it to its end', () => {
    expect(afterClosing(null)).toEqual({ state: 'closed', waitingSince: null })
    expect(afterClosing(TEN)).toBeNull()
  })
})

describe('what an answer quotes', () => {
  it('is everything since the answer before, in order', () => {
    expect(questionOf(['One', 'Two'])).toBe('One\n\nTwo')
  })

  it('is nothing where nothing was asked', () => {
    expect(questionOf([])).toBeNull()
  })

  it('is cut, and no character in half', () => {
    const question = questionOf(['😀'.repeat(1000), 'more']) ?? ''
    expect(question.length).toBe(2000)
    expect(question.isWellFormed()).toBe(true)
    expect(question.endsWith('…')).toBe(true)
  })
})

describe('the time to a first answer', () => {
  it('is counted in whole seconds from the first message that nobody answered', () => {
    expect(waitedFor(NINE, new Date('2026-05-03T09:00:59.999Z'))).toBe(59)
    expect(waitedFor(NINE, TEN)).toBe(3600)
  })

  it('is none where nobody waited, and never below zero', () => {
    expect(waitedFor(null, TEN)).toBeNull()
    expect(waitedFor(TEN, NINE)).toBe(0)
  })
})

describe('a template', () => {
  const facts = { first_name: '{username}', username: 'ana' }

  it.each([
    ['Hola, {first_name}: {username}', null],
    ['Cuesta {5} y {} y { x }', null],
    ['Hola, {name}', 'name'],
    ['Hola, {First_name}', 'First_name'],
  ])('%j has %j as the first placeholder that nothing stands for', (text, unknown) => {
    expect(unknownPlaceholder(text)).toBe(unknown)
  })

  it('puts in what a member is called as it is, and leaves other braces alone', () => {
    expect(fillTemplate('{first_name}, {username}, {5}, {name}', facts)).toBe('{username}, ana, {5}, {name}')
    expect(fillTemplate('{first_name}', { ...facts, first_name: '$&' })).toBe('$&')
  })
})
