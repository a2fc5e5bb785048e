"""Addresses of the search and article pages; parts of pages lie under `/part/`."""

from django.urls import path

from search.views.articles.article_list import articles
from search.views.articles.comments import article_comments
from search.views.articles.duplicates import article_duplicates
from search.views.articles.fetch_again import fetch_article_again, fetch_articles_again
from search.views.articles.frame import frame
from search.views.articles.page_files import page_file
from search.views.articles.stored_page import article_page
from search.views.articles.stories import stories, story
from search.views.articles.tagged import article_tagged, correct_tag
from search.views.articles.text import article_text
from search.views.articles.timeline import article_timeline
from search.views.articles.versions import article_versions, changed_lately
from search.views.concordance.builder import builder
from search.views.concordance.concordance import concordance, line_part
from search.views.concordance.export import export
from search.views.concordance.going_on import going_on_part
from search.views.concordance.manifest import manifest
from search.views.index_files import index_file, index_listing
from search.views.lexicon.corrections import correction, corrections, decide, end_correction
from search.views.lexicon.edit import add_entry, paste
from search.views.lexicon.edit import remove as remove_entry
from search.views.lexicon.entries import entry, lexicon, retagging_part
from search.views.lexicon.export import export_lexicon
from search.views.marking.marking_list import add_marking, markings
from search.views.marking.marking_list import remove as remove_marking
from search.views.marking.marking_page import add as add_category
from search.views.marking.marking_page import carry_on, mark_lines, marking, open_all
from search.views.marking.results import export as export_marking
from search.views.marking.results import results as marking_results
from search.views.saved.comparison import compare
from search.views.saved.history import (
    clear_history,
    history,
    name_past_query,
    remove_past_query,
    rename_past_folder,
)
from search.views.saved.kept_queries import (
    add_query,
    permanent_link,
    remove_query,
    saved,
    short_link,
)
from search.views.saved.same_today import same_today_page
from search.views.saved.saved_feed import saved_feed
from search.views.saved.subcorpora import (
    add_listed,
    add_subcorpus,
    join_subcorpora,
    pin_subcorpus,
    remove_sub,
    share_subcorpus,
    subcorpora,
    subcorpus,
)
from search.views.statistics.collocates import collocates_page
from search.views.statistics.distribution import distribution_page
from search.views.statistics.frequency import frequency
from search.views.statistics.keyness import keyness_page
from search.views.statistics.ngrams import ngrams_page
from search.views.statistics.text_table import text_table_page
from search.views.statistics.trend import trend_page
from search.views.words.ignored_words import ignore_word, ignored_words, take_back
from search.views.words.new_words import new_words_page
from search.views.words.sketch import sketch_hits, sketch_page
from search.views.words.sketch_grammar import sketch_grammar
from search.views.words.word import word
from search.views.words.word_lists import add_list, add_macro, remove, remove_macro, word_lists
from search.views.words.word_table import words
from search.views.words.zipf import zipf

urlpatterns = [
    path("search/", concordance, name="search"),
    path("search/builder/", builder, name="builder"),
    path("search/distribution/", distribution_page, name="distribution"),
    path("search/frequency/", frequency, name="frequency"),
    path("search/collocates/", collocates_page, name="collocates"),
    path("search/ngrams/", ngrams_page, name="ngrams"),
    path("search/trend/", trend_page, name="trend"),
    path("search/compare/", compare, name="compare"),
    path("history/", history, name="history"),
    path("history/clear/", clear_history, name="history-clear"),
    path("history/folder/", rename_past_folder, name="history-folder"),
    path("history/<int:query_id>/name/", name_past_query, name="history-name"),
    path("history/<int:query_id>/remove/", remove_past_query, name="history-remove"),
    path("search/texts/", text_table_page, name="texts"),
    path("search/export/", export, name="search-export"),
    path("search/manifest/", manifest, name="search-manifest"),
    path("search/today/", same_today_page, name="same-today"),
    path("search/keyness/", keyness_page, name="keyness"),
    path("part/line/", line_part, name="part-line"),
    path("part/waiting/<slug:view>/", going_on_part, name="part-waiting"),
    path("part/counting/", going_on_part, name="part-counting"),
    path("c/<slug:short>/", short_link, name="short-link"),
    path("saved/", saved, name="saved"),
    path("saved/add/", add_query, name="saved-add"),
    path("saved/link/", permanent_link, name="permanent-link"),
    path("saved/feed/<str:key>/", saved_feed, name="saved-feed"),
    path("saved/<int:query_id>/remove/", remove_query, name="saved-remove"),
    path("subcorpora/", subcorpora, name="subcorpora"),
    path("markings/", markings, name="markings"),
    path("markings/add/", add_marking, name="marking-add"),
    path("markings/<int:marking_id>/", marking, name="marking"),
    path("markings/<int:marking_id>/mark/", mark_lines, name="marking-mark"),
    path("markings/<int:marking_id>/results/", marking_results, name="marking-results"),
    path("markings/<int:marking_id>/export/", export_marking, name="marking-export"),
    path("markings/<int:marking_id>/category/", add_category, name="marking-category"),
    path("markings/<int:marking_id>/open/", open_all, name="marking-open"),
    path("markings/<int:marking_id>/carry/", carry_on, name="marking-carry"),
    path("markings/<int:marking_id>/remove/", remove_marking, name="marking-remove"),
    path("subcorpora/add/", add_subcorpus, name="subcorpus-add"),
    path("subcorpora/list/", add_listed, name="subcorpus-list"),
    path("subcorpora/join/", join_subcorpora, name="subcorpora-join"),
    path("subcorpora/<int:subcorpus_id>/", subcorpus, name="subcorpus"),
    path("subcorpora/<int:subcorpus_id>/pin/", pin_subcorpus, name="subcorpus-pin"),
    path("subcorpora/<int:subcorpus_id>/share/", share_subcorpus, name="subcorpus-share"),
    path("subcorpora/<int:subcorpus_id>/remove/", remove_sub, name="subcorpus-remove"),
    path("articles/", articles, name="articles"),
    path("articles/fetch-again/", fetch_articles_again, name="articles-fetch-again"),
    path("articles/changed/", changed_lately, name="articles-changed"),
    path("articles/pages.wacz", page_file, name="page-file"),
    path("articles/<int:article_id>/", article_text, name="article"),
    path("articles/<int:article_id>/fetch-again/", fetch_article_again, name="article-fetch-again"),
    path("articles/<int:article_id>/comments/", article_comments, name="article-comments"),
    path("articles/<int:article_id>/duplicates/", article_duplicates, name="article-duplicates"),
    path("articles/<int:article_id>/page/", article_page, name="article-page"),
    path("articles/<int:article_id>/tagged/", article_tagged, name="article-tagged"),
    path("articles/<int:article_id>/tagged/correct/", correct_tag, name="correct-tag"),
    path("articles/<int:article_id>/versions/", article_versions, name="article-versions"),
    path("articles/<int:article_id>/timeline/", article_timeline, name="article-timeline"),
    path("stories/", stories, name="stories"),
    path("stories/<int:story_id>/", story, name="story"),
    path("words/lexicon/", lexicon, name="lexicon"),
    path("words/lists/", word_lists, name="word-lists"),
    path("words/lists/add/", add_list, name="word-list-add"),
    path("words/lists/<int:list_id>/remove/", remove, name="word-list-remove"),
    path("words/macros/add/", add_macro, name="macro-add"),
    path("words/macros/<int:macro_id>/remove/", remove_macro, name="macro-remove"),
    path("words/", words, name="words"),
    path("words/sketch/", sketch_page, name="sketch"),
    path("words/sketch/hits/", sketch_hits, name="sketch-hits"),
    path("words/sketch/grammar/<slug:language>/", sketch_grammar, name="sketch-grammar"),
    path("words/new/", new_words_page, name="new-words"),
    path("words/new/ignored/", ignored_words, name="ignored-words"),
    path("words/new/ignored/add/", ignore_word, name="ignored-add"),
    path("words/new/ignored/<int:word_id>/remove/", take_back, name="ignored-remove"),
    path("words/zipf/", zipf, name="zipf"),
    path("words/lexicon/add/", add_entry, name="lexicon-add"),
    path("words/lexicon/paste/", paste, name="lexicon-paste"),
    path("words/lexicon/export/", export_lexicon, name="lexicon-export"),
    path("words/lexicon/entry/<path:word>/", entry, name="lexicon-entry"),
    path("words/lexicon/corrections/", corrections, name="corrections"),
    path("words/lexicon/corrections/<int:correction_id>/", correction, name="correction"),
    path("words/lexicon/corrections/<int:correction_id>/decide/", decide, name="correction-decide"),
    path(
        "words/lexicon/corrections/<int:correction_id>/end/", end_correction, name="correction-end"
    ),
    path("words/lexicon/<int:entry_id>/remove/", remove_entry, name="lexicon-remove"),
    path("part/retagging/", retagging_part, name="part-retagging"),
    path("words/<path:form>/", word, name="word"),
    path("index-files/", index_listing, name="index-listing"),
    path("index-files/<str:name>", index_file, name="index-file"),
    path("part/frame/<int:fetch_id>/", frame, name="part-frame"),
]
