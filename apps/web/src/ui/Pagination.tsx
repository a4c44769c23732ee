import { useMediaQuery, usePagination } from '@mantine/hooks'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './Button.tsx'
import { IconChevronLeft, IconChevronRight } from './icons.ts'
import './pagination.css'
import { formats } from './format.ts'

interface PaginationProps {
  /** What is read page by page, where a page has more than one such list. */
  of?: string
  page: number
  total: number
  onPage: (page: number) => void
}

/** From this many pages on, a page number can be typed. */
const JUMP_FROM = 8

export function Pagination({ of, page, total, onPage }: PaginationProps) {
  const { t } = useTranslation('ui')
  const phone = useMediaQuery('(max-width: 575px)', false, { getInitialValueInEffect: false })
  const { range } = usePagination({ page, total, siblings: phone ? 0 : 1 })
  const nav = useRef<HTMLElement>(null)
  useFocusKept(nav, page)
  if (total <= 1) return null
  // On a phone the arrows alone, which leaves room for the numbers.
  const stepText = phone ? 'visually-hidden' : undefined
  return (
    <nav
      className="pagination"
      aria-label={of === undefined ? t('pagination.label') : `${t('pagination.label')}: ${of}`}
      ref={nav}
    >
      <div className="pagination-row row-8 row-center">
        <Step to={page - 1} total={total} onPage={onPage}>
          <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
          <span className={stepText}>{t('pagination.previous')}</span>
        </Step>
        <Numbers items={range} page={page} onPage={onPage} />
        <Step to={page + 1} total={total} onPage={onPage}>
          <span className={stepText}>{t('pagination.next')}</span>
          <IconChevronRight size={16} stroke={1.8} aria-hidden="true" />
        </Step>
      </div>
      {total < JUMP_FROM ? null : <Jump total={total} onPage={onPage} />}
    </nav>
  )
}

interface StepProps extends Omit<PaginationProps, 'of' | 'page'> {
  to: number
  children: ReactNode
}

function Step({ to, total, onPage, children }: StepProps) {
  return (
    <button type="button" className="page-button" disabled={to < 1 || to > total} onClick={() => onPage(to)}>
      {children}
    </button>
  )
}

interface NumbersProps {
  items: (number | 'dots')[]
  page: number
  onPage: (page: number) => void
}

function Numbers({ items, page, onPage }: NumbersProps) {
  const { t } = useTranslation('ui')
  // Gaps are keyed by the page before them: there are at most two, never after the same page.
  const keyed = items.map((item, index) => ({
    item,
    key: item === 'dots' ? `after-${items[index - 1]}` : item,
  }))
  return (
    <ol className="pagination-numbers">
      {keyed.map(({ item, key }) =>
        item === 'dots' ? (
          <li key={key} className="page-gap centred faint" aria-hidden="true">
            …
          </li>
        ) : (
          <li key={key}>
            <button
              type="button"
              className="page-button"
              aria-label={t('pagination.page', { page: formats.count(item) })}
              aria-current={item === page ? 'page' : undefined}
              onClick={() => onPage(item)}
            >
              {formats.count(item)}
            </button>
          </li>
        ),
      )}
    </ol>
  )
}

/** A typed page number, limited to the pages there are; null if it is not a number. */
export function pageTyped(text: string, total: number): number | null {
  const digits = text.replace(/[\s.,]/g, '')
  return /^\d{1,9}$/.test(digits) ? Math.min(Math.max(Number(digits), 1), total) : null
}

/** Goes to one of many pages by its number. */
function Jump({ total, onPage }: { total: number; onPage: (page: number) => void }) {
  const { t } = useTranslation('ui')
  const [typed, setTyped] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const page = pageTyped(typed, total)
    setTyped('')
    if (page !== null) onPage(page)
  }
  return (
    <form className="page-jump row-8 one-line muted small" onSubmit={onSubmit}>
      <label className="row-8 one-line">
        <span>{t('pagination.jump')}</span>
        <input
          inputMode="numeric"
          autoComplete="off"
          maxLength={9}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <span>{t('pagination.of', { total: formats.count(total) })}</span>
      <Button type="submit" size="small">
        {t('pagination.go')}
      </Button>
    </form>
  )
}

/** A step that led to an end is disabled there and loses the focus; the number of the page takes it. */
function useFocusKept(nav: RefObject<HTMLElement | null>, page: number): void {
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    const { activeElement, body } = document
    const lost =
      activeElement === body || (activeElement instanceof HTMLButtonElement && activeElement.disabled)
    if (lost) nav.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true })
  }, [page, nav])
}
