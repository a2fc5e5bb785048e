# A client of a Broadsheet corpus: one file, on the packages curl and jsonlite.
#
#     source("broadsheet.R")
#     corpus <- broadsheet("https://corpus.example", token = "bs_...")
#     trend <- corpus$trend("water", by = "year", table = "trend")
#     citation_of(trend)                 # what the numbers are of
#     corpus$save("water.csv", "water")  # all lines, and a manifest; goes on where it broke off
#
# Answers are data frames. What is wrong is an error of class corpus_error, in words.

# Members of answers that are rows, the first of them that an answer has.
.members <- c("lines", "articles", "sentences", "comments", "versions", "others", "stories",
              "publications", "alarms", "entries")
.whole <- c("xlsx", "parquet") # kinds of files that come whole or not at all
.piece <- 65536 # bytes

# What an answer is of: query, base, generation and address, for a footnote.
citation_of <- function(rows) attr(rows, "citation")

# All else that an answer says.
about <- function(rows) attr(rows, "about")

# Ask, and give the rows as a data frame; of several tables the one that is named, else the first.
.rows_of <- function(corpus, path, parameters, table = "") {
  told <- .told(corpus, path, parameters)
  if (!length(told$tables)) {
    return(.framed(.rows_told(told), told))
  }
  names <- vapply(told$tables, function(one) one$name, "")
  chosen <- if (nzchar(table)) match(table, names) else 1L
  if (is.na(chosen)) {
    .refuse(404, paste0("There is no table ", table, ". ", paste(names, collapse = ", ")))
  }
  .framed(told$tables[[chosen]]$rows, told)
}

# Ask for page after page, and give all rows in one data frame.
.all_rows <- function(corpus, path, parameters, into) {
  pages <- list()
  repeat {
    told <- .told(corpus, path, parameters)
    pages[[length(pages) + 1]] <- .rows_told(told)
    following <- told[["next"]]
    if (is.null(following) || identical(following, "")) break
    parameters[[into]] <- following
  }
  .framed(do.call(c, pages), told)
}

.told <- function(corpus, path, parameters) {
  text <- rawToChar(.file_of(corpus, path, parameters))
  Encoding(text) <- "UTF-8"
  jsonlite::fromJSON(text, simplifyVector = FALSE)
}

.rows_told <- function(told) {
  for (name in .members) {
    if (.is_array(told[[name]])) return(told[[name]])
  }
  list(told)
}

.is_array <- function(found) is.list(found) && is.null(names(found))

# A data frame of rows: nested members are columns named by their path, what is absent is NA.
# Of sentences each token is a row, with the number of its sentence here.
.framed <- function(rows, told) {
  if (length(rows) && .is_array(rows[[1]])) {
    numbered <- Map(function(tokens, n) {
      lapply(tokens, function(token) c(list(sentence = n), token))
    }, rows, seq_along(rows))
    rows <- do.call(c, numbered)
  }
  text <- jsonlite::toJSON(rows, auto_unbox = TRUE, null = "null", digits = NA)
  frame <- jsonlite::fromJSON(text, flatten = TRUE)
  if (!is.data.frame(frame)) frame <- data.frame()
  attr(frame, "about") <- told[!(names(told) %in% .members & vapply(told, .is_array, NA))]
  attr(frame, "citation") <- .cited(told)
  frame
}

.cited <- function(told) {
  asked <- told$query
  base <- told$base
  language <- if (is.null(asked$ql)) "simple" else asked$ql
  words <- if (length(base$words) && nzchar(base$words)) paste0(": ", base$words) else ""
  parts <- c(
    if (length(asked$q) && nzchar(asked$q)) paste0("\u201c", asked$q, "\u201d (", language, ")"),
    if (length(base)) {
      paste0(.digits(base$tokens), " tokens in ", .digits(base$texts), " texts", words)
    },
    if (!is.null(told$generation)) {
      paste("generation", .digits(told$generation), "of the corpus")
    },
    if (length(told$page)) told$page
  )
  paste(parts, collapse = "; ")
}

.digits <- function(number) format(number, scientific = FALSE, trim = TRUE)

# Ask, and give the bytes of the answer.
.file_of <- function(corpus, path, parameters) {
  bytes <- list()
  .opened(corpus, path, parameters, function(piece) bytes[[length(bytes) + 1]] <<- piece)
  do.call(c, c(list(raw()), bytes))
}

# Ask as often as one is told to wait, and give each piece of the answer to `into`.
.opened <- function(corpus, path, parameters, into) {
  address <- paste0(corpus$site, "/api/", path, "/?", .pairs(parameters))
  until <- Sys.time() + corpus$patience
  repeat {
    # A line on which nothing comes is dead.
    handle <- curl::new_handle(
      accept_encoding = "gzip", low_speed_limit = 1, low_speed_time = corpus$patience
    )
    if (nzchar(corpus$token)) {
      curl::handle_setheaders(handle, Authorization = paste("Bearer", corpus$token))
    }
    refusal <- list()
    answer <- curl::curl_fetch_stream(address, function(piece) {
      if (curl::handle_data(handle)$status_code < 400) {
        into(piece)
      } else {
        refusal[[length(refusal) + 1]] <<- piece
      }
    }, handle)
    if (answer$status_code < 400) return(invisible())
    headers <- curl::parse_headers_list(answer$headers)
    seconds <- if (is.null(headers[["retry-after"]])) 1 else as.numeric(headers[["retry-after"]])
    if (!answer$status_code %in% c(429, 503) || Sys.time() + seconds > until) {
      text <- rawToChar(do.call(c, c(list(raw()), refusal)))
      error <- tryCatch(jsonlite::fromJSON(text)$error, error = function(unread) list())
      said <- paste(c(error$happened, error$to_do), collapse = " ")
      .refuse(answer$status_code, if (nzchar(said)) said else paste("HTTP", answer$status_code))
    }
    Sys.sleep(seconds)
  }
}

# What the corpus refused, and what to do; `status` is that of HTTP.
.refuse <- function(status, words) {
  stop(structure(
    class = c("corpus_error", "error", "condition"),
    list(message = words, call = NULL, status = status)
  ))
}

.pairs <- function(parameters) {
  pairs <- character()
  for (name in names(parameters)) {
    for (value in parameters[[name]]) {
      if (identical(value, FALSE)) next
      one <- if (identical(value, TRUE)) "1" else if (is.numeric(value)) .digits(value) else value
      pairs <- c(pairs, paste0(name, "=", .quoted(one)))
    }
  }
  paste(pairs, collapse = "&")
}

.quoted <- function(value) curl::curl_escape(enc2utf8(as.character(value)))

# Save all lines of a query as a file, its manifest beside it, and give the manifest.
#
# Further arguments are parameters of a search and `format`, else data.csv. What broke off, now or
# when this was called last, goes on behind its last whole line, of the same list.
.save <- function(corpus, file, q, ...) {
  asked <- utils::modifyList(list(format = "data.csv"), c(list(...), q = q))
  names(asked) <- sub("_$", "", names(asked))
  manifest <- .begun(corpus, file, asked)
  wanted <- c(asked, asof = manifest$generation, list = manifest$list)
  if (asked$format %in% .whole) {
    writeBin(.file_of(corpus, "search/export", wanted), file)
    return(invisible(manifest))
  }
  until <- Sys.time() + corpus$patience
  while (!file.exists(file) || .lines_there(file) < manifest$lines) {
    there <- .lines_there(file)
    broken <- tryCatch(.go_on(corpus, file, wanted, there), corpus_error = stop, error = identity)
    if (.lines_there(file) > there) until <- Sys.time() + corpus$patience
    if (inherits(broken, "error")) {
      if (Sys.time() > until) stop(broken)
      Sys.sleep(1)
    }
  }
  invisible(manifest)
}

# The manifest of a file that was begun, or of one that begins.
.begun <- function(corpus, file, asked) {
  beside <- paste0(file, ".manifest.json")
  if (file.exists(file) && file.exists(beside)) {
    known <- jsonlite::fromJSON(beside, simplifyVector = FALSE)
    if (.pairs(known$asked) == .pairs(asked)) return(known)
  }
  unlink(file)
  of_list <- asked[!names(asked) %in% c("format", "ascii")]
  manifest <- c(.told(corpus, "search/manifest", of_list), list(asked = asked))
  words <- jsonlite::toJSON(manifest, auto_unbox = TRUE, null = "null", digits = NA, pretty = TRUE)
  writeLines(enc2utf8(words), beside, useBytes = TRUE)
  manifest
}

.go_on <- function(corpus, file, wanted, there) {
  into <- file(file, "ab")
  on.exit(close(into))
  if (there > 0) wanted$skip <- there
  .opened(corpus, "search/export", wanted, function(piece) writeBin(piece, into))
}

# Cut off a line that is not whole, and give the number of the last one; 0 before the first.
.lines_there <- function(file) {
  if (!file.exists(file)) return(0)
  size <- file.size(file)
  end <- .line_end(file, size)
  if (end < size) .cut(file, end)
  start <- .line_end(file, end - 1)
  number <- .number(rawToChar(.bytes(file, start, end - start)))
  if (number == 0 && end > 0) .cut(file, 0)
  number
}

# The place behind the last line feed before a place.
.line_end <- function(file, before) {
  while (before > 0) {
    start <- max(0, before - .piece)
    at <- which(.bytes(file, start, before - start) == as.raw(10))
    if (length(at)) return(start + at[[length(at)]])
    before <- start
  }
  0
}

.bytes <- function(file, start, n) {
  from <- file(file, "rb")
  on.exit(close(from))
  seek(from, start)
  readBin(from, "raw", max(n, 0))
}

.cut <- function(file, size) {
  kept <- file(file, "r+b")
  on.exit(close(kept))
  seek(kept, size, rw = "write")
  truncate(kept)
}

# The number that a line of a file begins with.
.number <- function(line) {
  if (startsWith(line, "{")) {
    number <- jsonlite::fromJSON(line)$number
    return(if (is.null(number)) 0 else number)
  }
  cell <- sub("[,\t\r\n].*", "", line, useBytes = TRUE)
  if (grepl("^[0-9]+$", cell, useBytes = TRUE)) as.numeric(cell) else 0
}
