"""The demo newspapers: three small fictional papers and a local server for them.

`server.start` serves them on the loopback interface, each under a port of its own, with a fourth
one for their readers' comments in Disqus' shape. All texts were written for this project; people,
places' councils and companies in them are invented. First run without internet, fixture of the
end-to-end test, stage of the browser tests.
"""
