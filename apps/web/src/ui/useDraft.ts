import { useEffect, useRef } from 'react'
import { type Draft, keepDraft, keptDraft } from '../api/drafts.ts'

/**
 * Keeps the texts typed into a form and restores them once when the form is shown again.
 *
 * @param userId undefined until the member is known
 * @param texts the changed fields; unchanged ones are empty
 * @param restore called with the kept texts, by field
 * @returns a function that deletes the draft, to be called once it was sent
 */
export function useDraft(
  form: string,
  userId: number | undefined,
  texts: Draft,
  restore: (kept: Draft) => void,
): () => void {
  const restored = useRef(false)
  const give = useRef(restore)
  give.current = restore
  const written = JSON.stringify(texts)

  useEffect(() => {
    if (userId === undefined) return
    if (restored.current) {
      keepDraft(form, userId, JSON.parse(written) as Draft, Date.now())
      return
    }
    restored.current = true
    const kept = keptDraft(form, userId, Date.now())
    if (Object.keys(kept).length > 0) give.current(kept)
  }, [form, userId, written])

  return () => {
    if (userId !== undefined) keepDraft(form, userId, {}, Date.now())
  }
}
