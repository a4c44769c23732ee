import type { SupportMessage } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../../api/failure.ts'
import type { Answer } from '../../api/http.ts'
import { type KeyValueStore, safeStore } from '../../api/storage.ts'
import type { Outgoing } from './api.ts'
import { loadDraft, NO_DRAFT, saveDraft } from './keeping.ts'
import { Outbox } from './outbox.ts'

const DATE = '2026-05-03T15:00:00.000Z'
const OFFLINE: Failure = { status: 'FETCH_ERROR' }
const REFUSED: Failure = { status: 400, detail: 'No.' }

/** A store that lives as long as the test, and tells every write. */
function memory(): KeyValueStore {
  return safeStore(() => {
    throw new Error('none')
  })
}

/** A server that answers as a test says, then takes everything, once a key. */
function desk(store = memory(), ...answers: (Failure | null)[]) {
  const taken = new Map<string, SupportMessage>()
  const asked: string[] = []
  let keys = 0
  const send = async ({ key, text }: Outgoing): Promise<Answer<SupportMessage>> => {
    asked.push(text)
    const failure = answers.shift() ?? null
    if (failure !== null) return { error: failure }
    const message: SupportMessage = taken.get(key) ?? {
      id: taken.size + 1,
      from: 'member',
      topic: null,
      text,
      date: DATE,
      seen: false,
    }
    taken.set(key, message)
    return { data: message }
  }
  const open = () => {
    keys += 100
    let drawn = keys
    return new Outbox({ memberId: 7, store, send, newKey: () => `key-${drawn++}` })
  }
  return { open, asked, taken, box: open() }
}
const unsent = (box: Outbox) => box.get().unsent.map(({ text, state }) => `${text}: ${state}`)

describe('a message', () => {
  it('is gone from the outbox once it is taken', async () => {
    const { box } = desk()
    const sending = box.add('Hola', null, DATE)
    expect(unsent(box)).toEqual(['Hola: sending'])
    await sending
    expect(unsent(box)).toEqual([])
    expect(box.get().sent.map(({ text }) => text)).toEqual(['Hola'])
  })

  it('that cannot get through keeps its place before what follows', async () => {
    const { box, asked } = desk(memory(), OFFLINE)
    await Promise.all([box.add('One', null, DATE), box.add('Two', null, DATE)])
    expect(unsent(box)).toEqual(['One: failed', 'Two: failed'])
    await box.retry()
    expect(asked).toEqual(['One', 'One', 'Two'])
    expect(unsent(box)).toEqual([])
  })

  it('that is refused lets the next one pass, and is tried again only when asked', async () => {
    const { box, asked } = desk(memory(), REFUSED)
    await Promise.all([box.add('Bad', null, DATE), box.add('Good', null, DATE)])
    expect(unsent(box)).toEqual(['Bad: failed'])
    await box.retryPassing()
    expect(asked).toEqual(['Bad', 'Good'])
    box.drop('key-100')
    expect(unsent(box)).toEqual([])
  })

  it('goes out by itself when the server is back, but not for ever', async () => {
    const { box, asked } = desk(memory(), ...Array.from({ length: 20 }, () => OFFLINE))
    await box.add('Hola', null, DATE)
    for (let look = 0; look < 10; look += 1) await box.retryPassing()
    expect(asked).toHaveLength(6)
    expect(unsent(box)).toEqual(['Hola: failed'])
  })

  it('keeps its key over the end of the page, so that it is stored once', async () => {
    const store = memory()
    const first = desk(store, OFFLINE)
    await first.box.add('Hola', 'payment', DATE)
    const next = first.open()
    expect(next.get().unsent).toMatchObject([
      { key: 'key-100', topic: 'payment', state: 'failed', date: DATE },
    ])
    await next.retryPassing()
    await first.box.retry()
    expect([...first.taken.keys()]).toEqual(['key-100'])
    expect(first.open().get().unsent).toEqual([])
  })

  it('of another tab stays kept beside those of this one', async () => {
    const store = memory()
    const { open } = desk(store, OFFLINE, OFFLINE)
    const [one, other] = [open(), open()]
    await one.add('From one', null, DATE)
    await other.add('From the other', null, DATE)
    expect(unsent(open()).sort()).toEqual(['From one: failed', 'From the other: failed'])
    one.drop('key-200')
    expect(unsent(open())).toEqual(['From the other: failed'])
  })

  it.each(['{', '7', '[7, null, {"text": 1}]', '[{"text": "a", "key": "b", "date": "never"}]'])(
    'is not made of junk: %s',
    (junk) => {
      const store = memory()
      store.set('support.unsent.7', junk)
      expect(desk(store).box.get().unsent).toEqual([])
    },
  )
})

describe('a draft', () => {
  it('is one member’s, and kept until it is empty', () => {
    const store = memory()
    saveDraft(store, 7, { text: 'Hola', topic: 'help' })
    expect(loadDraft(store, 7)).toEqual({ text: 'Hola', topic: 'help' })
    expect(loadDraft(store, 8)).toEqual(NO_DRAFT)
    saveDraft(store, 7, NO_DRAFT)
    expect(loadDraft(store, 7)).toEqual(NO_DRAFT)
  })

  it.each(['', '{', '[]', '{"text": 7}', 'null'])('is nothing where junk is kept: %s', (junk) => {
    const store = memory()
    store.set('support.draft.7', junk)
    expect(loadDraft(store, 7)).toEqual(NO_DRAFT)
  })
})
