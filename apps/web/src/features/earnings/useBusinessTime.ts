import { useBusinessTimeQuery } from './api.ts'

/** The instant that payments are dated by; undefined until it is known. The browser's own where the server gives none. */
export function useBusinessTime(): Date | undefined {
  const { data, isError } = useBusinessTimeQuery()
  if (data !== undefined) return new Date(data.now)
  return isError ? new Date() : undefined
}
