import { useTranslation } from 'react-i18next'
import { IconChevronLeft, IconChevronRight } from './icons.ts'
import { pageWindow } from './pageWindow.ts'
import './pagination.css'

interface PaginationProps {
  page: number
  total: number
  onPage: (page: number) => void
}

export function Pagination({ page, total, onPage }: PaginationProps) {
  const { t } = useTranslation('ui')
  if (total <= 1) return null
  // Gaps are keyed by the page before them: there are at most two, never after the same page.
  const items = pageWindow(page, total).map((item, index, all) =>
    item === 'gap'
      ? { gap: true as const, key: `after-${all[index - 1]}` }
      : { gap: false as const, page: item },
  )
  return (
    <nav className="pagination" aria-label={t('pagination.label')}>
      <button
        type="button"
        className="page-button page-step"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
        <span>{t('pagination.previous')}</span>
      </button>
      <ol className="pagination-numbers">
        {items.map((item) =>
          item.gap ? (
            <li key={item.key} className="page-gap" aria-hidden="true">
              …
            </li>
          ) : (
            <li key={item.page}>
              <button
                type="button"
                className="page-button"
                aria-label={t('pagination.page', { page: item.page })}
                aria-current={item.page === page ? 'page' : undefined}
                onClick={() => onPage(item.page)}
              >
                {item.page}
              </button>
            </li>
          ),
        )}
      </ol>
      <span className="page-position">{t('pagination.position', { page, total })}</span>
      <button
        type="button"
        className="page-button page-step"
        disabled={page >= total}
        onClick={() => onPage(page + 1)}
      >
        <span>{t('pagination.next')}</span>
        <IconChevronRight size={16} stroke={1.8} aria-hidden="true" />
      </button>
    </nav>
  )
}
