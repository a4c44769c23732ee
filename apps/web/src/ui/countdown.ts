import { useEffect, useState } from 'react'

/** Time left in hours, minutes and seconds: `1:59:07`, `4:09`, `0:00`. */
export function countdownText(milliseconds: number): string {
  const total = Math.max(0, Math.floor(milliseconds / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  const seconds = two(total % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`
}

/** Milliseconds left until a deadline, second by second. */
export function useTimeLeft(deadline: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return deadline - now
}
