import { useEffect, useState } from 'react'

/** Milliseconds left until a deadline, second by second. */
export function useTimeLeft(deadline: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return deadline - now
}
